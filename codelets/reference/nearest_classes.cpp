// All samples sorted by their distance.
#include "codelets/kernels/nearest_classes.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace starpath::reference {

void nearest_classes(const KernelContext&, View<const std::int16_t> points, View<const std::int16_t> samples,
                     std::span<const std::uint8_t> labels, std::span<ClassVote> votes, int k) {
  constexpr std::int64_t one = std::int64_t{kPointUnit} * kPointUnit;
  for (int p = 0; p < points.height; ++p) {
    std::vector<std::pair<std::int64_t, int>> order;  // distance, sample
    for (int s = 0; s < samples.height; ++s) {
      std::int64_t distance = 0;
      for (int i = 0; i < points.width; ++i) {
        const std::int64_t difference = std::int64_t{points.at(i, p)} - samples.at(i, s);
        distance += difference * difference;
      }
      order.emplace_back(distance, s);
    }
    std::sort(order.begin(), order.end());
    std::map<int, std::int64_t> weights;  // by class
    std::int64_t total = 0, distances = 0;
    for (int i = 0; i < k; ++i) {
      const auto [distance, sample] = order[static_cast<std::size_t>(i)];
      const std::int64_t weight = one * (1 << 24) / (one + distance);
      weights[labels[static_cast<std::size_t>(sample)]] += weight;
      total += weight;
      distances += distance;
    }
    std::pair<int, std::int64_t> best = *weights.begin();
    for (const auto& each : weights)
      if (each.second > best.second) best = each;
    votes[static_cast<std::size_t>(p)] = {static_cast<std::uint8_t>(best.first),
                                          static_cast<std::uint16_t>(best.second * kVoteUnit / total),
                                          static_cast<std::uint32_t>(distances / k)};
  }
}

}  // namespace starpath::reference
