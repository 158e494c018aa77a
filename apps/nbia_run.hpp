// `starpath nbia run`: the work behind the command line, alone or as one rank of several.
#pragma once
#include <memory>

#include "apps/nbia_parts.hpp"
#include "apps/run_parts.hpp"
#include "io/slide.hpp"
#include "pipelines/nbia/run_nbia.hpp"

namespace starpath::apps {

struct NbiaArguments : RunArguments {
  ModelChoice model;
  NbiaOptions options;
};

/// Slide and model as they were asked for. Throws for options that make no sense with them.
struct NbiaInput {
  explicit NbiaInput(NbiaArguments& arguments);

  NbiaModel model;
  std::unique_ptr<io::Slide> slide;
  io::WorkingSlide grid;
  io::RunKey key;
  io::RunInfo info;
};

/// The results file in --out, new or to go on with; parts that ranks of a job before have left are in it.
io::FieldStore open_fields(const NbiaArguments& arguments, const NbiaInput& input);

/// What is to do once all fields are in the store.
void conclude_nbia(const NbiaArguments& arguments, const NbiaInput& input, const io::FieldStore& store,
                   ProgressReport& report, Outcome& outcome);

/// Both return the exit code.
int nbia_alone(NbiaArguments arguments);
int nbia_as_rank(NbiaArguments arguments);

}  // namespace starpath::apps
