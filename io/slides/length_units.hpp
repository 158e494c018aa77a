// Names of units of length, as programs write them into pictures.
#pragma once
#include <optional>
#include <string_view>

namespace starpath::io {

/// How many micrometres the unit of this name has: symbols ("um", "nm", "mm", "in" and the others of OME's schema that
/// are not of stars), words ("micron", "millimetres", "Inch"), and the micro sign or the letter mu in any encoding or
/// escape, also where it was lost ("?m"). Pure.
std::optional<double> micrometres_of(std::string_view unit);

}  // namespace starpath::io
