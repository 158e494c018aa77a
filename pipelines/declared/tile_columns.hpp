// The columns that each declared pipeline writes.
#pragma once
#include <array>

namespace starpath {

/// The columns of results.csv before those that the pipeline declares.
inline constexpr std::array kTileColumns = {"tile", "x", "y", "width", "height"};

}  // namespace starpath
