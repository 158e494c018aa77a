// The same with loops that the compiler turns into vector instructions, and bits counted a word at a time.
#include "codelets/benchmarks/estimator.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace starpath::cpu {
namespace {

/// Keeps the k nearest of the points that are offered in the order of their index.
class Nearest {
 public:
  explicit Nearest(std::span<Neighbour> best) : best_(best) {}
  bool full() const { return count_ == best_.size(); }
  float worst() const { return best_.back().squared_distance; }
  void offer(Neighbour fresh) {
    if (full() && !(fresh.squared_distance < worst())) return;
    std::size_t at = full() ? count_ - 1 : count_++;
    for (; at > 0 && fresh.squared_distance < best_[at - 1].squared_distance; --at) best_[at] = best_[at - 1];
    best_[at] = fresh;
  }

 private:
  std::span<Neighbour> best_;
  std::size_t count_ = 0;
};

/// The sets of one item after another, with the transactions of each prefix in scratch memory.
class Eclat {
 public:
  Eclat(const KernelContext& context, const ItemSearch& search)
      : search_(search),
        items_(search.transactions.size() / search.words),
        prefixes_(context.scratch.take<std::uint64_t>(search.words * search.longest)) {}

  ItemCount count(std::size_t item) {
    count_ = {};
    const std::uint64_t* held = words_of(item);
    std::uint64_t support = 0;
    for (std::size_t i = 0; i < search_.words; ++i) support += static_cast<unsigned>(std::popcount(held[i]));
    if (keep(support)) extend(held, item, 1);
    return count_;
  }

 private:
  const std::uint64_t* words_of(std::size_t item) const { return search_.transactions.data() + item * search_.words; }

  bool keep(std::uint64_t support) {
    ++count_.tested;
    if (support < search_.least_support) return false;
    ++count_.sets;
    count_.supports += support;
    return true;
  }

  void extend(const std::uint64_t* prefix, std::size_t last, unsigned length) {
    if (length >= search_.longest) return;
    std::uint64_t* const both = prefixes_.data() + length * search_.words;
    for (std::size_t item = last + 1; item < items_; ++item) {
      const std::uint64_t* held = words_of(item);
      std::uint64_t support = 0;
      for (std::size_t i = 0; i < search_.words; ++i) {
        both[i] = prefix[i] & held[i];
        support += static_cast<unsigned>(std::popcount(both[i]));
      }
      if (keep(support)) extend(both, item, length + 1);
    }
  }

  const ItemSearch& search_;
  std::size_t items_;
  std::span<std::uint64_t> prefixes_;
  ItemCount count_;
};

}  // namespace

void heart_step(const KernelContext&, const HeartStep& rows) {
  const View<const float> u = rows.potential;
  const int width = rows.next.width;
  for (int y = 0; y < rows.next.height; ++y) {
    const int row = y + rows.first;
    const float* const centre = u.row(row);
    const float* const up = row > 0 ? u.row(row - 1) : centre;
    const float* const down = row + 1 < u.height ? u.row(row + 1) : centre;
    float* __restrict const next = rows.next.row(y);
    float* __restrict const recovery = rows.recovery.row(y);
    const auto cell = [&](int x, int left, int right) {
      const detail::HeartCell after =
          detail::heart_cell(centre[x], recovery[x], up[x], down[x], centre[left], centre[right]);
      next[x] = after.potential;
      recovery[x] = after.recovery;
    };
    cell(0, 0, std::min(1, width - 1));
    for (int x = 1; x < width - 1; ++x) cell(x, x - 1, x + 1);
    if (width > 1) cell(width - 1, width - 2, width - 1);
  }
}

void nearest_neighbours(const KernelContext&, const NeighbourSearch& search) {
  constexpr std::size_t lanes = 64;
  const std::size_t points = search.points.size() / search.dimensions;
  for (std::size_t query = 0; query * search.dimensions < search.queries.size(); ++query) {
    const float* const from = search.queries.data() + query * search.dimensions;
    Nearest nearest(search.nearest.subspan(query * search.k, search.k));
    for (std::size_t begin = 0; begin < points; begin += lanes) {
      std::array<float, lanes> sums{};
      const std::size_t used = std::min(lanes, points - begin);
      for (std::size_t d = 0; d < search.dimensions; ++d) {
        const float* const to = search.points.data() + d * points + begin;
        if (used == lanes)
          for (std::size_t i = 0; i < lanes; ++i) sums[i] += (from[d] - to[i]) * (from[d] - to[i]);
        else
          for (std::size_t i = 0; i < used; ++i) sums[i] += (from[d] - to[i]) * (from[d] - to[i]);
      }
      for (std::size_t i = 0; i < used; ++i) nearest.offer({sums[i], static_cast<std::uint32_t>(begin + i)});
    }
  }
}

void frequent_items(const KernelContext& context, const ItemSearch& search, std::size_t first,
                    std::span<ItemCount> counts) {
  const Scratch::Mark mark(context.scratch);
  Eclat eclat(context, search);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = eclat.count(first + i);
}

}  // namespace starpath::cpu
