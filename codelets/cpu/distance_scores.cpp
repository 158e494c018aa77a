// The filters of HoVer-Net's maps, along columns and then along rows.
#include "codelets/kernels/distance_scores.hpp"

#include <algorithm>

namespace starpath::cpu {

void distance_scores(const KernelContext& context, View<const Rgb> maps, View<std::uint8_t> nucleus,
                     View<std::uint8_t> inside) {
  constexpr int reach = kDistanceReach;
  const Scratch::Mark mark(context.scratch);
  const auto room = static_cast<std::size_t>(maps.width + 2 * reach);
  // Of a row: green smoothed and blue derived along the columns, with the outermost pixels repeated.
  const auto smooth = context.scratch.take<std::int32_t>(room), steep = context.scratch.take<std::int32_t>(room);
  for (int y = 0; y < maps.height; ++y) {
    std::ranges::fill(smooth, 0);
    std::ranges::fill(steep, 0);
    for (int j = -reach; j <= reach; ++j) {
      const Rgb* const row = maps.row(std::clamp(y + j, 0, maps.height - 1));
      const std::int32_t weight = kDistanceSmoothing[static_cast<std::size_t>(j + reach)],
                         slope = kDistanceDerivative[static_cast<std::size_t>(j + reach)];
      for (int x = 0; x < maps.width; ++x) {
        smooth[static_cast<std::size_t>(x + reach)] += weight * row[x].g;
        steep[static_cast<std::size_t>(x + reach)] += slope * row[x].b;
      }
    }
    for (const auto& line : {smooth, steep}) {
      std::fill_n(line.begin(), reach, line[reach]);
      std::fill_n(line.end() - reach, reach, line[room - reach - 1]);
    }
    const Rgb* const row = maps.row(y);
    for (int x = 0; x < maps.width; ++x) {
      std::int64_t across = 0, down = 0;
      for (std::size_t i = 0; i < kDistanceSmoothing.size(); ++i) {
        across += std::int64_t{kDistanceDerivative[i]} * smooth[static_cast<std::size_t>(x) + i];
        down += std::int64_t{kDistanceSmoothing[i]} * steep[static_cast<std::size_t>(x) + i];
      }
      const int fall = std::max(fall_of(across), fall_of(down));
      nucleus.at(x, y) = row[x].r;
      inside.at(x, y) = static_cast<std::uint8_t>(std::max(0, row[x].r - fall));
    }
  }
}

}  // namespace starpath::cpu
