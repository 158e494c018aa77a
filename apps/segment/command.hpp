// `starpath segment`. The program says what runs it over many slides.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

#include "io/slides/slides_asked.hpp"
#include "runs/segmentation/pipeline.hpp"

namespace starpath::apps {

/// Segments many slides. Returns the exit code.
using ManySlides = std::function<int(const SegmentRequest&, const io::SlidesAsked&)>;

/// The command runs over one slide by itself, and calls `run_over_many` for anything else.
void add_segment_command(CLI::App& app, const ManySlides& run_over_many);

}  // namespace starpath::apps
