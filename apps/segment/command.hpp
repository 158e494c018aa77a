// `starpath segment`. Its caller says what runs it over many slides.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "apps/segment/pipeline.hpp"

namespace starpath::apps {

/// The slides of a run as the user names them.
struct SlidesAsked {
  std::vector<std::string> inputs;  ///< slides, and folders of slides
  std::string list;                 ///< a file that lists them; empty: none
};

/// Segments many slides. Returns the exit code.
using ManySlides = std::function<int(const SegmentRequest&, const SlidesAsked&)>;

/// The command runs over one slide by itself, and calls `run_over_many` for anything else.
void add_segment_command(CLI::App& app, const ManySlides& run_over_many);

}  // namespace starpath::apps
