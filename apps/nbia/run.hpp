// `starpath nbia run`: the work behind the command line, alone or as one rank of several.
#pragma once
#include <memory>
#include <string>

#include "apps/nbia/parts.hpp"
#include "apps/run/run_parts.hpp"
#include "io/slides/slide.hpp"
#include "pipelines/nbia/run_nbia.hpp"

namespace starpath::apps {

struct NbiaArguments : RunArguments {
  ModelChoice model;
  NbiaOptions options;
  std::string streams;  ///< policy of streams between ranks; empty: fields are handed out, pixels stay where they are
  int readers = 0;      ///< of those streams; 0: every rank
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

/// All return the exit code. As one rank of several: with fields handed out, or with streams (also for one rank).
int nbia_alone(NbiaArguments arguments);
int nbia_as_rank(NbiaArguments arguments);
int nbia_as_stream_rank(NbiaArguments arguments);

}  // namespace starpath::apps
