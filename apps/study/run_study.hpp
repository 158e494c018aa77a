// `starpath segment` over many slides.
#pragma once
#include "io/slides/slides_asked.hpp"
#include "runs/segmentation/pipeline.hpp"

namespace starpath::apps {

/// Segments the slides that the user names. Returns the exit code (docs/robustness.md).
int run_study(const SegmentRequest& request, const io::SlidesAsked& asked);

}  // namespace starpath::apps
