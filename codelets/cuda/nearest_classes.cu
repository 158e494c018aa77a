// A thread a point. All threads of a warp look at the same sample, which is read once for them.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/nearest_classes.hpp"

namespace starpath::cuda {

void nearest_classes(const KernelContext& context, View<const std::int16_t> points, View<const std::int16_t> samples,
                     std::span<const std::uint8_t> labels, std::span<ClassVote> votes, int k) {
  const std::uint8_t* const label = labels.data();
  ClassVote* const vote = votes.data();
  const int numbers = points.width, count = samples.height;
  for_items(context, "nearest_classes", points.height, [=] __device__(std::int64_t p) {
    const std::int16_t* const point = points.row(static_cast<int>(p));
    NearestKeys<kMostNeighbours> nearest(k);
    for (int s = 0; s < count; ++s)
      nearest.add(sample_key(squared_distance(point, samples.row(s), numbers), static_cast<std::uint32_t>(s)));
    vote[p] = class_vote(nearest, label);
  });
}

}  // namespace starpath::cuda
