// Colour conversion and statistics of NBIA in plain loops.
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath::reference {

void nbia_statistics(const KernelContext& context, RgbView rgb, NbiaCounts* counts) {
  const auto pixels = static_cast<std::size_t>(rgb.pixels());
  const View<NbiaPixel> levels{context.scratch.take<NbiaPixel>(pixels).data(), rgb.width, rgb.height, rgb.width};
  const View<std::int32_t> light{context.scratch.take<std::int32_t>(pixels).data(), rgb.width, rgb.height, rgb.width};
  *counts = {};
  counts->pixels = static_cast<std::uint32_t>(pixels);
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) {
      const Lab lab = lab_of(kLabTables, rgb.at(x, y));
      light.at(x, y) = lab.l;
      levels.at(x, y) = nbia_pixel(lab);
      counts->glass += levels.at(x, y).glass;
    }

  constexpr int steps[4][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      for (const auto& [dx, dy] : steps) {
        if (!rgb.contains(x + dx, y + dy)) continue;
        const NbiaPixel &here = levels.at(x, y), &there = levels.at(x + dx, y + dy);
        for (int c = 0; c < 3; ++c) ++counts->pairs[c][kNbiaLevels * here.levels[c] + there.levels[c]];
      }

  for (int y = 1; y + 1 < rgb.height; ++y)
    for (int x = 1; x + 1 < rgb.width; ++x)
      ++counts->lbp[lbp_bin(lbp_samples(&light.at(x, y - 1), &light.at(x, y), &light.at(x, y + 1)))];
}

}  // namespace starpath::reference
