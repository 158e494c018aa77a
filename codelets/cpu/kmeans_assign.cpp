// Distances by products of pairs of 16-bit numbers; sums in 32 bits, which kMostPoints points cannot overflow.
#include "codelets/kernels/kmeans_assign.hpp"

#include <algorithm>
#include <cstddef>

#include "codelets/cpu/point_distance.hpp"

namespace starpath::cpu {
namespace {

void add(const std::int16_t* __restrict point, std::int32_t* __restrict sums, int numbers) {
  for (int i = 0; i < numbers; ++i) sums[i] += point[i];
}

}  // namespace

void kmeans_assign(const KernelContext& context, View<const std::int16_t> points, View<const std::int16_t> centres,
                   std::span<std::uint8_t> labels, View<std::int64_t> sums) {
  const Scratch::Mark mark(context.scratch);
  const int numbers = points.width;
  const auto width = static_cast<std::size_t>(numbers);
  const auto partial = context.scratch.take<std::int32_t>(width * static_cast<std::size_t>(centres.height));
  std::ranges::fill(partial, 0);
  for (int c = 0; c < centres.height; ++c) std::fill_n(sums.row(c), numbers + 2, 0);
  for (int p = 0; p < points.height; ++p) {
    const std::int16_t* point = points.row(p);
    int nearest = 0;
    std::uint32_t least = point_distance(point, centres.row(0), numbers);
    for (int c = 1; c < centres.height; ++c) {
      const std::uint32_t distance = point_distance(point, centres.row(c), numbers);
      nearest = distance < least ? c : nearest;
      least = std::min(least, distance);
    }
    labels[static_cast<std::size_t>(p)] = static_cast<std::uint8_t>(nearest);
    add(point, partial.data() + width * static_cast<std::size_t>(nearest), numbers);
    ++sums.at(numbers, nearest);
    sums.at(numbers + 1, nearest) += least;
  }
  for (int c = 0; c < centres.height; ++c)
    std::copy_n(partial.data() + width * static_cast<std::size_t>(c), width, sums.row(c));
}

}  // namespace starpath::cpu
