// Micrometres a pixel on the command line.
#pragma once
#include <CLI/CLI.hpp>

#include "apps/cli/number_range.hpp"
#include "io/slides/resolution.hpp"

namespace starpath::apps {

/// A check of an option: micrometres a pixel that a slide may have.
inline CLI::Validator micrometres_a_pixel() { return number_between(io::kLeastSaidMpp, io::kMostSaidMpp); }

}  // namespace starpath::apps
