// Plain loops.
#include "codelets/benchmarks/estimator.hpp"

#include <algorithm>
#include <vector>

namespace starpath::reference {
namespace {

bool holds(const ItemSearch& search, std::size_t item, std::size_t transaction) {
  return (search.transactions[item * search.words + transaction / 64] >> transaction % 64 & 1U) != 0;
}

void extend(const ItemSearch& search, const std::vector<std::size_t>& held_by, std::size_t item, unsigned length,
            ItemCount& count) {
  std::vector<std::size_t> both;
  for (const std::size_t transaction : held_by)
    if (holds(search, item, transaction)) both.push_back(transaction);
  ++count.tested;
  if (both.size() < search.least_support) return;
  ++count.sets;
  count.supports += both.size();
  const std::size_t items = search.transactions.size() / search.words;
  for (std::size_t next = item + 1; next < items && length < search.longest; ++next)
    extend(search, both, next, length + 1, count);
}

}  // namespace

void heart_step(const KernelContext&, const HeartStep& rows) {
  const View<const float> u = rows.potential;
  for (int y = 0; y < rows.next.height; ++y)
    for (int x = 0; x < rows.next.width; ++x) {
      const int row = y + rows.first;
      const auto near = [&](int i, int j) { return u.contains(i, j) ? u.at(i, j) : u.at(x, row); };
      const detail::HeartCell after = detail::heart_cell(u.at(x, row), rows.recovery.at(x, y), near(x, row - 1),
                                                         near(x, row + 1), near(x - 1, row), near(x + 1, row));
      rows.next.at(x, y) = after.potential;
      rows.recovery.at(x, y) = after.recovery;
    }
}

void nearest_neighbours(const KernelContext&, const NeighbourSearch& search) {
  const std::size_t points = search.points.size() / search.dimensions;
  std::vector<Neighbour> all(points);
  for (std::size_t query = 0; query * search.dimensions < search.queries.size(); ++query) {
    for (std::size_t i = 0; i < points; ++i) {
      float sum = 0;
      for (std::size_t d = 0; d < search.dimensions; ++d) {
        const float difference = search.queries[query * search.dimensions + d] - search.points[d * points + i];
        sum += difference * difference;
      }
      all[i] = {sum, static_cast<std::uint32_t>(i)};
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Neighbour& a, const Neighbour& b) { return a.squared_distance < b.squared_distance; });
    std::copy_n(all.begin(), search.k, search.nearest.begin() + static_cast<std::ptrdiff_t>(query * search.k));
  }
}

void frequent_items(const KernelContext&, const ItemSearch& search, std::size_t first, std::span<ItemCount> counts) {
  std::vector<std::size_t> all(search.words * 64);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = {};
    extend(search, all, first + i, 1, counts[i]);
  }
}

}  // namespace starpath::reference
