// The k nearest samples: all distances at once, feature by feature, then the smallest.
#include "codelets/kernels/nbia_classify.hpp"

#include <algorithm>
#include <limits>

#include "codelets/kernels/nearest_keys.hpp"

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
  NearestKeys<kNbiaNeighbours> nearest(kNbiaNeighbours);
  for (std::size_t i = 0; i < count; ++i)
    nearest.add(sample_key(static_cast<std::uint32_t>(distances[i]), static_cast<std::uint32_t>(i)));
  int rich = 0;
  std::int64_t sum = 0;
  for (int i = 0; i < kNbiaNeighbours; ++i) {
    rich += samples.labels[sample_of_key(nearest[i])] == NbiaLabel::stroma_rich ? 1 : 0;
    sum += distance_of_key(nearest[i]);
  }
  *vote = nbia_vote(rich, sum);
}

}  // namespace starpath::cpu
