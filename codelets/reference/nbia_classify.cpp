// The k nearest samples by sorting all of them.
#include "codelets/kernels/nbia_classify.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace starpath::reference {

void nbia_classify(const KernelContext&, const NbiaCounts& counts, const NbiaSamples& samples, NbiaVote* vote) {
  if (nbia_background(counts)) {
    *vote = kNbiaGlass;
    return;
  }
  const NbiaFeatures features = nbia_features(counts);
  std::vector<std::pair<std::int64_t, int>> order;  // distance, sample
  for (int i = 0; i < samples.count; ++i) {
    std::int64_t distance = 0;
    for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) {
      const std::int64_t z = nbia_z(features[f], samples.mean[f], samples.deviation[f]);
      const std::int64_t difference =
          z - samples.z[f * static_cast<std::size_t>(samples.count) + static_cast<std::size_t>(i)];
      distance += difference * difference;
    }
    order.emplace_back(distance, i);
  }
  std::sort(order.begin(), order.end());
  int rich = 0;
  std::int64_t distances = 0;
  for (int i = 0; i < kNbiaNeighbours; ++i) {
    const auto& [distance, sample] = order[static_cast<std::size_t>(i)];
    rich += samples.labels[sample] == NbiaLabel::stroma_rich;
    distances += distance;
  }
  *vote = nbia_vote(rich, distances);
}

}  // namespace starpath::reference
