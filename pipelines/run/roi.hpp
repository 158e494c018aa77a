// What a user says of the part of a slide that is analysed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "pipelines/run/tiling.hpp"

namespace starpath {

/// Whether a text behind --roi is no rectangle of numbers, and so names a file with regions.
bool names_region_file(const std::string& roi);

/// The numbers of "x,y,width,height", which may be separated by spaces or semicolons too. Throws Error{usage}.
std::vector<std::int64_t> roi_numbers(const std::string& text);

/// What is wrong with a text behind --roi, for the command line; empty when nothing is.
std::string flaw_of_roi(const std::string& text, bool may_be_file);

/// The rectangle comes in level-0 pixels, as viewers show them, and is grown to whole working pixels. Empty for an
/// empty text. Throws Error{usage}.
Rect working_roi(const std::string& roi, double scale);

}  // namespace starpath
