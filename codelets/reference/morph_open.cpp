// Operation 3 in plain loops.
#include "codelets/kernels/morph_open.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace starpath::reference {
namespace {

/// The value that `pick` (min or max) leaves of the pixels under the octagon around (x, y).
template <class Pick>
std::uint8_t under_octagon(GrayView image, Octagon octagon, int x, int y, Pick pick) {
  const int reach = octagon.reach();
  std::uint8_t value = image.at(x, y);
  for (int dy = -reach; dy <= reach; ++dy)
    for (int dx = -reach; dx <= reach; ++dx)
      if (std::abs(dx) + std::abs(dy) <= octagon.corner() && image.contains(x + dx, y + dy))
        value = pick(value, image.at(x + dx, y + dy));
  return value;
}

}  // namespace

void morph_open(const KernelContext& context, RgbView rgb, int reach, View<std::uint8_t> inverted,
                View<std::uint8_t> opened) {
  const Scratch::Mark mark(context.scratch);
  const auto pixels = context.scratch.take<std::uint8_t>(static_cast<std::size_t>(rgb.pixels()));
  const View<std::uint8_t> eroded{pixels.data(), rgb.width, rgb.height, rgb.width};
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) inverted.at(x, y) = static_cast<std::uint8_t>(255 - rgb.at(x, y).r);
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      eroded.at(x, y) = under_octagon(inverted, octagon_of(reach), x, y, [](auto a, auto b) { return std::min(a, b); });
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      opened.at(x, y) = under_octagon(eroded, octagon_of(reach), x, y, [](auto a, auto b) { return std::max(a, b); });
}

}  // namespace starpath::reference
