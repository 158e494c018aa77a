// Oracle of the scores of HoVer-Net's maps: the two filters as they are defined.
#include "codelets/kernels/distance_scores.hpp"

#include <algorithm>

namespace starpath::reference {

void distance_scores(const KernelContext&, View<const Rgb> maps, View<std::uint8_t> nucleus,
                     View<std::uint8_t> inside) {
  constexpr int reach = kDistanceReach;
  const auto pixel = [&](int x, int y) -> const Rgb& {
    return maps.at(std::clamp(x, 0, maps.width - 1), std::clamp(y, 0, maps.height - 1));
  };
  for (int y = 0; y < maps.height; ++y)
    for (int x = 0; x < maps.width; ++x) {
      std::int64_t across = 0, down = 0;
      for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
          const auto u = static_cast<std::size_t>(i + reach), v = static_cast<std::size_t>(j + reach);
          across += std::int64_t{kDistanceDerivative[u]} * kDistanceSmoothing[v] * pixel(x + i, y + j).g;
          down += std::int64_t{kDistanceSmoothing[u]} * kDistanceDerivative[v] * pixel(x + i, y + j).b;
        }
      const int fall = std::max(fall_of(across), fall_of(down));
      nucleus.at(x, y) = maps.at(x, y).r;
      inside.at(x, y) = static_cast<std::uint8_t>(std::max(0, maps.at(x, y).r - fall));
    }
}

}  // namespace starpath::reference
