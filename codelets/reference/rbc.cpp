// Operation 2 in plain loops.
#include "codelets/kernels/rbc.hpp"

#include <vector>

namespace starpath::reference {
namespace {

/// Marks with 255 everything above the low ratio that is 8-connected to (x, y).
void flood(RgbView rgb, int low, int x, int y, View<std::uint8_t> mask) {
  std::vector<std::pair<int, int>> open{{x, y}};
  mask.at(x, y) = 255;
  while (!open.empty()) {
    const auto [px, py] = open.back();
    open.pop_back();
    for (int ny = py - 1; ny <= py + 1; ++ny)
      for (int nx = px - 1; nx <= px + 1; ++nx) {
        if (!rgb.contains(nx, ny) || mask.at(nx, ny) != 0) continue;
        if (!redder_than(rgb.at(nx, ny), low)) continue;
        mask.at(nx, ny) = 255;
        open.emplace_back(nx, ny);
      }
  }
}

}  // namespace

void rbc(const KernelContext&, RgbView rgb, int high, int low, int haematoxylin, View<std::uint8_t> mask) {
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) mask.at(x, y) = 0;
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      if (mask.at(x, y) == 0 && redder_than(rgb.at(x, y), high)) flood(rgb, low, x, y, mask);
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      if (rgb.at(x, y).r <= rgb.at(x, y).b) mask.at(x, y) = 0;
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      if (is_unstained(rgb.at(x, y), haematoxylin)) mask.at(x, y) = 255;
}

}  // namespace starpath::reference
