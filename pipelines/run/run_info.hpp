// The description of slide and grid in the results of every pipeline.
#pragma once
#include <string>

#include "io/results/run_key.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

/// `grid` was made with `resolution`; an empty `roi` stands for the whole grid. Without feature names.
io::RunInfo run_info(const io::SlideInfo& slide, const io::WorkingSlide& grid, const io::Resolution& resolution,
                     const Rect& roi);

/// The part of its canvas that the slide is, as a key has it: places in two such parts do not compare.
std::string bounds_of(const io::SlideInfo& slide);

/// Throws Error{usage} for a negative window.
void check_window(int window);
/// The same, and when a region of interest lies outside the slide.
void check_run_options(const io::WorkingSlide& grid, const Rect& roi, int window);

}  // namespace starpath
