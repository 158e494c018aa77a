// Oracle of operation 8.
#include "codelets/kernels/pre_watershed.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::reference {
namespace {

/// min(kDepthMax, floor(256 sqrt(squared))): the largest such d with d * d <= 256 * 256 * squared.
std::uint16_t depth_of(std::int32_t squared) {
  const std::int64_t scaled = std::int64_t{squared} * kDepthUnit * kDepthUnit;
  std::int64_t low = 0, high = kDepthMax;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (middle * middle <= scaled)
      low = middle;
    else
      high = middle - 1;
  }
  return static_cast<std::uint16_t>(low);
}

void dilate_cross(View<std::uint8_t> mask) {
  std::vector<std::uint8_t> grown;
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) {
      std::uint8_t value = mask.at(x, y);
      for (const auto& [dx, dy] : {std::pair{0, -1}, {-1, 0}, {1, 0}, {0, 1}})
        if (mask.contains(x + dx, y + dy)) value = std::max(value, mask.at(x + dx, y + dy));
      grown.push_back(value);
    }
  for (int y = 0; y < mask.height; ++y)
    std::copy_n(grown.begin() + std::ptrdiff_t{y} * mask.width, mask.width, mask.row(y));
}

/// Each pixel of the objects becomes the mean of the pixels around it.
void smooth_depths(MaskView objects, View<std::uint16_t> depth) {
  std::vector<std::uint16_t> smoothed;
  for (int y = 0; y < depth.height; ++y)
    for (int x = 0; x < depth.width; ++x) {
      int sum = 0, pixels = 0;
      for (int v = y - 1; v <= y + 1; ++v)
        for (int u = x - 1; u <= x + 1; ++u)
          if (depth.contains(u, v)) sum += depth.at(u, v), ++pixels;
      smoothed.push_back(objects.at(x, y) != 0 ? static_cast<std::uint16_t>(sum / pixels) : std::uint16_t{0});
    }
  for (int y = 0; y < depth.height; ++y)
    std::copy_n(smoothed.begin() + std::ptrdiff_t{y} * depth.width, depth.width, depth.row(y));
}

}  // namespace

void squared_distance(const KernelContext&, MaskView mask, View<std::int32_t> squared) {
  constexpr std::int64_t none = std::numeric_limits<std::int32_t>::max();
  const int width = mask.width, height = mask.height;
  // Rows from each pixel to the nearest 0 of its own column, up or down.
  std::vector<std::int64_t> vertical(static_cast<std::size_t>(mask.pixels()), none);
  const View<std::int64_t> rows{vertical.data(), width, height, width};
  for (int x = 0; x < width; ++x) {
    std::int64_t above = none, below = none;
    for (int y = 0; y < height; ++y) {
      above = mask.at(x, y) == 0 ? 0 : std::min(none, above + 1);
      rows.at(x, y) = above;
    }
    for (int y = height - 1; y >= 0; --y) {
      below = mask.at(x, y) == 0 ? 0 : std::min(none, below + 1);
      rows.at(x, y) = std::min(rows.at(x, y), below);
    }
  }
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::int64_t best = none;
      for (std::int64_t dx = 0; dx < width && dx * dx < best; ++dx)
        for (const std::int64_t column : {x - dx, x + dx}) {
          if (column < 0 || column >= width) continue;
          const std::int64_t dy = rows.at(static_cast<int>(column), y);
          if (dy != none) best = std::min(best, dx * dx + dy * dy);
        }
      squared.at(x, y) = static_cast<std::int32_t>(best);
    }
}

void pre_watershed(const KernelContext& context, MaskView selected, int min_area, int grow, int smooth, int h,
                   View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const int width = selected.width, height = selected.height;
  const auto size = static_cast<std::size_t>(selected.pixels());
  std::vector<std::int32_t> squared_pixels(size);
  std::vector<std::uint16_t> distance_pixels(size), marker_pixels(size);
  const View<std::int32_t> squared{squared_pixels.data(), width, height, width};
  const View<std::uint16_t> distance{distance_pixels.data(), width, height, width};
  const View<std::uint16_t> marker{marker_pixels.data(), width, height, width};

  area_filter(context, selected, Connectivity::eight, min_area, std::numeric_limits<std::int32_t>::max(), objects);
  for (int i = 0; i < grow; ++i) dilate_cross(objects);
  squared_distance(context, objects, squared);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) distance.at(x, y) = depth_of(squared.at(x, y));
  for (int i = 0; i < smooth; ++i) smooth_depths(objects, distance);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) marker.at(x, y) = static_cast<std::uint16_t>(std::max(distance.at(x, y) - h, 0));
  reconstruct_u16(context, marker, distance, Connectivity::eight, depth);
}

}  // namespace starpath::reference
