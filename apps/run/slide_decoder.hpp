// Where slides of scanners are decoded.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

/// Slides are decoded in processes without rights (io/slides/child_slide.hpp) from now on. For the program's start.
void decode_slides_apart();

/// --trusted, which takes that back. For every command that opens slides.
void add_trusted(CLI::App& command);

}  // namespace starpath::apps
