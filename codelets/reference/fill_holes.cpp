// Operation 5 by its definition: flood the zeros from the border, fill the zeros that the flood did not reach.
#include "codelets/kernels/fill_holes.hpp"

#include <limits>
#include <vector>

#include "codelets/kernels/connected_components.hpp"

namespace starpath::reference {

void fill_small_holes4(const KernelContext& context, MaskView mask, int max_area, View<std::uint8_t> filled) {
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width) + static_cast<std::size_t>(x);
  };
  std::vector<bool> outside(static_cast<std::size_t>(mask.pixels()), false);
  std::vector<std::pair<int, int>> open;
  const auto reach = [&](int x, int y) {
    if (!mask.contains(x, y) || mask.at(x, y) != 0 || outside[index(x, y)]) return;
    outside[index(x, y)] = true;
    open.emplace_back(x, y);
  };
  for (int x = 0; x < mask.width; ++x) reach(x, 0), reach(x, mask.height - 1);
  for (int y = 0; y < mask.height; ++y) reach(0, y), reach(mask.width - 1, y);
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    reach(x - 1, y), reach(x + 1, y), reach(x, y - 1), reach(x, y + 1);
  }
  std::vector<std::uint8_t> hole_pixels(static_cast<std::size_t>(mask.pixels()));
  const View<std::uint8_t> holes{hole_pixels.data(), mask.width, mask.height, mask.width};
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) holes.at(x, y) = mask.at(x, y) == 0 && !outside[index(x, y)] ? 255 : 0;
  area_filter(context, holes, Connectivity::four, 0, max_area, holes);
  for (int y = 0; y < mask.height; ++y)
    for (int x = 0; x < mask.width; ++x) filled.at(x, y) = mask.at(x, y) | holes.at(x, y);
}

void fill_holes4(const KernelContext& context, MaskView mask, View<std::uint8_t> filled) {
  fill_small_holes4(context, mask, std::numeric_limits<int>::max(), filled);
}

void fill_holes(const KernelContext& context, GrayView difference, int seed_level, View<std::uint8_t> filled) {
  for (int y = 0; y < difference.height; ++y)
    for (int x = 0; x < difference.width; ++x) filled.at(x, y) = difference.at(x, y) > seed_level ? 255 : 0;
  fill_holes4(context, filled, filled);
}

}  // namespace starpath::reference
