// Oracle of the connected components: flood fills from each first pixel in raster order.
#include "codelets/kernels/connected_components.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace starpath::reference {
namespace {

constexpr std::array<std::pair<int, int>, 8> kNeighbours = {
    {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};  // the first four are the 4-connected ones

void flood(MaskView mask, Connectivity connectivity, int x, int y, std::int32_t label, View<std::int32_t> labels) {
  std::vector<std::pair<int, int>> pending = {{x, y}};
  labels.at(x, y) = label;
  while (!pending.empty()) {
    const auto [px, py] = pending.back();
    pending.pop_back();
    for (int n = 0; n < static_cast<int>(connectivity); ++n) {
      const int qx = px + kNeighbours[static_cast<std::size_t>(n)].first;
      const int qy = py + kNeighbours[static_cast<std::size_t>(n)].second;
      if (!mask.contains(qx, qy) || mask.at(qx, qy) == 0 || labels.at(qx, qy) != 0) continue;
      labels.at(qx, qy) = label;
      pending.emplace_back(qx, qy);
    }
  }
}

}  // namespace

void label_components(const KernelContext&, MaskView mask, Connectivity connectivity, View<std::int32_t> labels,
                      std::int32_t* count) {
  for (int y = 0; y < mask.height; ++y) std::fill_n(labels.row(y), mask.width, 0);
  *count = 0;
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x)
      if (mask.at(x, y) != 0 && labels.at(x, y) == 0) flood(mask, connectivity, x, y, ++*count, labels);
}

void object_boxes(const KernelContext&, View<const std::int32_t> labels, std::span<ObjectBox> boxes) {
  constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
  std::fill(boxes.begin(), boxes.end(), ObjectBox{far, far, 0, 0, 0, 0, 0, 0, 0});
  for (int y = 0; y < labels.height; ++y)
    for (int x = 0; x < labels.width; ++x) {
      if (labels.at(x, y) == 0) continue;
      ObjectBox& box = boxes[static_cast<std::size_t>(labels.at(x, y) - 1)];
      if (box.area == 0) {
        box.first_x = x;
        box.first_y = y;
      }
      box.x0 = std::min(box.x0, x);
      box.y0 = std::min(box.y0, y);
      box.x1 = std::max(box.x1, x + 1);
      box.y1 = std::max(box.y1, y + 1);
      box.sum_x += x;
      box.sum_y += y;
      ++box.area;
    }
}

void area_filter(const KernelContext& context, MaskView mask, Connectivity connectivity, std::int32_t min_area,
                 std::int32_t max_area, View<std::uint8_t> out) {
  std::vector<std::int32_t> pixels(static_cast<std::size_t>(mask.pixels()));
  const View<std::int32_t> labels{pixels.data(), mask.width, mask.height, mask.width};
  std::int32_t count = 0;
  label_components(context, mask, connectivity, labels, &count);
  std::vector<std::int32_t> area(static_cast<std::size_t>(count) + 1, 0);
  for (const std::int32_t label : pixels) ++area[static_cast<std::size_t>(label)];
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) {
      const std::int32_t label = labels.at(x, y);
      const std::int32_t a = area[static_cast<std::size_t>(label)];
      out.at(x, y) = label != 0 && a >= min_area && a < max_area ? 255 : 0;
    }
}

void area_threshold(const KernelContext& context, MaskView filled, int min_area, int max_area,
                    View<std::uint8_t> seeds) {
  area_filter(context, filled, Connectivity::eight, min_area, max_area, seeds);
}

}  // namespace starpath::reference
