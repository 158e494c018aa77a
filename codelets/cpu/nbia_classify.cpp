// The k nearest samples: all distances at once, feature by feature, then a partial selection.
#include "codelets/kernels/nbia_classify.hpp"

#include <algorithm>
#include <limits>

namespace starpath::cpu {

void nbia_classify(const KernelContext& context, const NbiaCounts& counts, const NbiaSamples& samples, NbiaVote* vote) {
  if (nbia_background(counts)) {
    *vote = kNbiaGlass;
    return;
  }
  static_assert(4LL * kNbiaZLimit * kNbiaZLimit * kNbiaFeatureCount <= std::numeric_limits<std::int32_t>::max());
  const NbiaFeatures features = nbia_features(counts);
  const auto count = static_cast<std::size_t>(samples.count);
  const auto distances = context.scratch.take<std::int32_t>(count);
  std::fill(distances.begin(), distances.end(), 0);
  for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) {
    const std::int32_t z = nbia_z(features[f], samples.mean[f], samples.deviation[f]);
    const std::int16_t* sample = samples.z + f * count;
    for (std::size_t i = 0; i < count; ++i) distances[i] += (z - sample[i]) * (z - sample[i]);
  }
  const auto order = context.scratch.take<std::int64_t>(count);  // distance, then sample
  for (std::size_t i = 0; i < count; ++i)
    order[i] = static_cast<std::int64_t>(distances[i]) << 32 | static_cast<std::int64_t>(i);
  std::nth_element(order.begin(), order.begin() + kNbiaNeighbours - 1, order.end());
  int rich = 0;
  std::int64_t nearest = 0;
  for (std::size_t i = 0; i < kNbiaNeighbours; ++i) {
    rich += samples.labels[order[i] & 0xffffffff] == NbiaLabel::stroma_rich ? 1 : 0;
    nearest += order[i] >> 32;
  }
  *vote = nbia_vote(rich, nearest);
}

}  // namespace starpath::cpu
