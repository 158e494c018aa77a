// A few points at a time look at every sample, which so comes from memory once for all of them.
#include "codelets/kernels/nearest_classes.hpp"

#include <algorithm>
#include <cstddef>

#include "codelets/cpu/point_distance.hpp"

namespace starpath::cpu {
namespace {

constexpr int kTogether = 16;  // points

using Nearest = NearestKeys<kMostNeighbours>;

}  // namespace

void nearest_classes(const KernelContext& context, View<const std::int16_t> points, View<const std::int16_t> samples,
                     std::span<const std::uint8_t> labels, std::span<ClassVote> votes, int k) {
  const Scratch::Mark mark(context.scratch);
  const std::span<Nearest> nearest = context.scratch.take<Nearest>(kTogether);
  for (int first = 0; first < points.height; first += kTogether) {
    const int count = std::min(kTogether, points.height - first);
    std::ranges::fill(nearest, Nearest(k));
    for (int s = 0; s < samples.height; ++s)
      for (int p = 0; p < count; ++p) {
        const std::uint32_t distance = point_distance(points.row(first + p), samples.row(s), points.width);
        nearest[static_cast<std::size_t>(p)].add(sample_key(distance, static_cast<std::uint32_t>(s)));
      }
    for (int p = 0; p < count; ++p)
      votes[static_cast<std::size_t>(first + p)] = class_vote(nearest[static_cast<std::size_t>(p)], labels.data());
  }
}

}  // namespace starpath::cpu
