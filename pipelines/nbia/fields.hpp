// How a slide is cut into fields. Pure.
#pragma once
#include <cstdint>
#include <vector>

#include "pipelines/run/tiling.hpp"

namespace starpath {

/// A square that is judged as one. At the right and bottom border of the slide its pixels are those of the nearest
/// whole field, so that nothing beyond the slide is looked at; its decision counts for its own part only.
struct Field {
  std::int64_t index;  // row-major on the whole slide, independent of the region of interest
  Rect core;           // its part of the slide
  std::int64_t x, y;   // top left pixel of the square that is read
};

/// Fields that meet the region of interest (empty: all), in row-major order. Throws Error{usage} when the slide is
/// smaller than one field.
std::vector<Field> cut_fields(std::int64_t width, std::int64_t height, int side, const Rect& roi);

}  // namespace starpath
