#include "io/results/same_grid.hpp"

#include <tuple>

namespace starpath::io {

bool same_grid(const RunInfo& one, const RunInfo& other) {
  const auto numbers = [](const RunInfo& info) {
    return std::tuple(info.slide_width, info.slide_height, info.slide_mpp, info.width, info.height, info.mpp,
                      info.scale, info.origin.value_or(CanvasPlace{}).x, info.origin.value_or(CanvasPlace{}).y,
                      info.roi_x, info.roi_y, info.roi_width, info.roi_height);
  };
  return numbers(one) == numbers(other) && one.feature_names == other.feature_names;
}

}  // namespace starpath::io
