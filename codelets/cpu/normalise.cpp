// Colour normalisation: the three channels of a value beside each other, so that a pixel takes three loads.
#include "codelets/kernels/normalise.hpp"

namespace starpath::cpu {
namespace {

/// Of an input channel: the numbers that its value adds to each of the three densities, and a fourth that stays unused.
using Added = std::array<std::array<std::int32_t, 4>, 256>;

std::array<Added, 3> by_value(const ColourMap& map) {
  std::array<Added, 3> added{};
  for (std::size_t in = 0; in < 3; ++in)
    for (std::size_t v = 0; v < 256; ++v)
      for (std::size_t out = 0; out < 3; ++out) added[in][v][out] = map[out][in][v];
  return added;
}

}  // namespace

void normalise(const KernelContext&, RgbView rgb, const ColourMap& map, View<Rgb> out) {
  const std::array<Added, 3> added = by_value(map);
  for (int y = 0; y < rgb.height; ++y) {
    const Rgb* from = rgb.row(y);
    Rgb* to = out.row(y);
    for (int x = 0; x < rgb.width; ++x) {
      const auto &r = added[0][from[x].r], &g = added[1][from[x].g], &b = added[2][from[x].b];
      to[x] = {channel_value(r[0] + g[0] + b[0]), channel_value(r[1] + g[1] + b[1]), channel_value(r[2] + g[2] + b[2])};
    }
  }
}

}  // namespace starpath::cpu
