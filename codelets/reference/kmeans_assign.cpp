// One point after the other.
#include "codelets/kernels/kmeans_assign.hpp"

namespace starpath::reference {

void kmeans_assign(const KernelContext&, View<const std::int16_t> points, View<const std::int16_t> centres,
                   std::span<std::uint8_t> labels, View<std::int64_t> sums) {
  const int numbers = points.width;
  for (int c = 0; c < centres.height; ++c)
    for (int i = 0; i < numbers + 2; ++i) sums.at(i, c) = 0;
  for (int p = 0; p < points.height; ++p) {
    int nearest = 0;
    std::int64_t least = -1;
    for (int c = 0; c < centres.height; ++c) {
      std::int64_t distance = 0;
      for (int i = 0; i < numbers; ++i) {
        const std::int64_t difference = std::int64_t{points.at(i, p)} - centres.at(i, c);
        distance += difference * difference;
      }
      if (least >= 0 && distance >= least) continue;
      least = distance;
      nearest = c;
    }
    labels[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>(nearest);
    for (int i = 0; i < numbers; ++i) sums.at(i, nearest) += points.at(i, p);
    sums.at(numbers, nearest) += 1;
    sums.at(numbers + 1, nearest) += least;
  }
}

}  // namespace starpath::reference
