// k-means: a thread a point finds its centre; then a thread a column adds up a stretch of points, so that no two write
// to the same sum; then a thread a sum adds the stretches.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/kmeans_assign.hpp"

namespace starpath::cuda {
namespace {

constexpr int kStretch = 512;  // points

}  // namespace

void kmeans_assign(const KernelContext& context, View<const std::int16_t> points, View<const std::int16_t> centres,
                   std::span<std::uint8_t> labels, View<std::int64_t> sums) {
  const Scratch::Mark mark(context.scratch);
  const int numbers = points.width, columns = numbers + 2, count = centres.height, total = points.height;
  std::uint8_t* const label = labels.data();
  std::uint32_t* const least = context.scratch.take<std::uint32_t>(static_cast<std::size_t>(total)).data();
  for_items(context, "kmeans: nearest centres", total, [=] __device__(std::int64_t p) {
    const std::int16_t* point = points.row(static_cast<int>(p));
    int nearest = 0;
    std::uint32_t distance = squared_distance(point, centres.row(0), numbers);
    for (int c = 1; c < count; ++c) {
      const std::uint32_t other = squared_distance(point, centres.row(c), numbers);
      nearest = other < distance ? c : nearest;
      distance = other < distance ? other : distance;
    }
    label[p] = static_cast<std::uint8_t>(nearest);
    least[p] = distance;
  });
  const int stretches = static_cast<int>(parts_of(total, kStretch));
  const std::int64_t of_stretch = std::int64_t{count} * columns;
  std::int64_t* const partial =
      context.scratch.take<std::int64_t>(static_cast<std::size_t>(of_stretch * stretches)).data();
  for_items(context, "kmeans: sums of stretches", std::int64_t{stretches} * columns, [=] __device__(std::int64_t item) {
    const int stretch = static_cast<int>(item / columns), column = static_cast<int>(item % columns);
    std::int64_t* const own = partial + stretch * of_stretch + column;
    for (int c = 0; c < count; ++c) own[std::ptrdiff_t{c} * columns] = 0;
    const int end = (stretch + 1) * kStretch < total ? (stretch + 1) * kStretch : total;
    for (int p = stretch * kStretch; p < end; ++p)
      own[std::ptrdiff_t{label[p]} * columns] += column < numbers    ? points.at(column, p)
                                                 : column == numbers ? std::int64_t{1}
                                                                     : std::int64_t{least[p]};
  });
  for_items(context, "kmeans: sums", of_stretch, [=] __device__(std::int64_t item) {
    std::int64_t sum = 0;
    for (int s = 0; s < stretches; ++s) sum += partial[s * of_stretch + item];
    sums.at(static_cast<int>(item % columns), static_cast<int>(item / columns)) = sum;
  });
}

}  // namespace starpath::cuda
