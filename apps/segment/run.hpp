// `starpath segment`: the work behind the command line, alone or as one rank of several.
#pragma once
#include <memory>

#include "apps/run/run_parts.hpp"
#include "io/slides/slide.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath::apps {

struct SegmentArguments : RunArguments {
  SegmentationOptions options;
};

/// The slide as it was asked for. Throws for options that make no sense with it.
struct SegmentInput {
  explicit SegmentInput(SegmentArguments& arguments);

  std::unique_ptr<io::Slide> slide;
  io::WorkingSlide grid;
  io::RunKey key;
  io::RunInfo info;
};

/// The results file in --out, new or to go on with; parts that ranks of a job before have left are in it.
io::ResultStore open_results(const SegmentArguments& arguments, const SegmentInput& input);

/// What is to do once all tiles are in the store.
void conclude_segmentation(const SegmentArguments& arguments, const SegmentInput& input, io::ResultStore& store,
                           ProgressReport& report, Outcome& outcome);

/// Both return the exit code.
int segment_alone(SegmentArguments arguments);
int segment_as_rank(SegmentArguments arguments);

}  // namespace starpath::apps
