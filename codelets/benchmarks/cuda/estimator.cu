// A thread an element of tissue; a thread a query; a block an item, whose threads share the words of a set.
#include <algorithm>

#include "codelets/benchmarks/estimator.hpp"
#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {
namespace {

constexpr int kSetThreads = 64;
constexpr unsigned kMostBlocks = 1024;
constexpr unsigned kMostItems = 8;  // of a set: ItemSearch::longest

__device__ unsigned bits_of(std::uint64_t word) {
  return static_cast<unsigned>(__popcll(static_cast<unsigned long long>(word)));
}

/// to = a & b, word by word, by the whole block; every thread gets the number of bits. Null `to`: only counts.
__device__ unsigned intersect(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* to, std::uint32_t words,
                              unsigned* support) {
  if (threadIdx.x == 0) *support = 0;
  __syncthreads();
  unsigned thread_bits = 0;
  for (std::uint32_t i = threadIdx.x; i < words; i += kSetThreads) {
    const std::uint64_t both = a[i] & b[i];
    if (to != nullptr) to[i] = both;
    thread_bits += bits_of(both);
  }
  if (thread_bits != 0) atomicAdd(support, thread_bits);
  __syncthreads();
  const unsigned sum = *support;
  __syncthreads();  // before the next call clears it
  return sum;
}

struct Sets {
  const std::uint64_t* transactions;
  std::uint32_t words, items, least_support;
  unsigned longest;
};

/// Depth first: last[d] is the item at depth d of the current set, whose transactions are held(d).
__device__ ItemCount count_sets(const Sets& sets, std::uint32_t first, std::uint64_t* prefixes, unsigned* support) {
  const auto of_item = [&](std::uint32_t item) { return sets.transactions + std::size_t{item} * sets.words; };
  const auto held = [&](unsigned depth) -> const std::uint64_t* {
    return depth == 0 ? of_item(first) : prefixes + std::size_t{depth} * sets.words;
  };
  ItemCount count;
  std::uint32_t last[kMostItems];
  const unsigned alone = intersect(of_item(first), of_item(first), nullptr, sets.words, support);
  count.tested = 1;
  if (alone < sets.least_support) return count;
  count.sets = 1;
  count.supports = alone;
  unsigned depth = 0;
  last[0] = first;
  std::uint32_t next = first + 1;
  while (true) {
    if (next >= sets.items || depth + 1 >= sets.longest) {  // nothing more to add to this set
      if (depth == 0) return count;
      next = last[depth--] + 1;
      continue;
    }
    const unsigned both =
        intersect(held(depth), of_item(next), prefixes + std::size_t{depth + 1} * sets.words, sets.words, support);
    ++count.tested;
    if (both >= sets.least_support) {
      ++count.sets;
      count.supports += both;
      last[++depth] = next;
    }
    ++next;
  }
}

__global__ void __launch_bounds__(kSetThreads)
    sets_kernel(Sets sets, std::uint32_t first, ItemCount* counts, std::uint32_t size, std::uint64_t* prefixes) {
  STARPATH_SHARED(unsigned, support, 1);
  std::uint64_t* const prefix = prefixes + std::size_t{blockIdx.x} * sets.longest * sets.words;
  for (std::uint32_t i = blockIdx.x; i < size; i += gridDim.x) {
    const ItemCount count = count_sets(sets, first + i, prefix, support);
    if (threadIdx.x == 0) counts[i] = count;
  }
}

}  // namespace

void heart_step(const KernelContext& context, const HeartStep& rows) {
  const View<const float> u = rows.potential;
  const View<float> recovery = rows.recovery, next = rows.next;
  const int first = rows.first;
  for_pixels(context, "heart_step", next.width, next.height, [=] __device__(int x, int y) {
    const int row = y + first;
    const float centre = u.at(x, row);
    const starpath::detail::HeartCell after = starpath::detail::heart_cell(
        centre, recovery.at(x, y), row > 0 ? u.at(x, row - 1) : centre, row + 1 < u.height ? u.at(x, row + 1) : centre,
        x > 0 ? u.at(x - 1, row) : centre, x + 1 < u.width ? u.at(x + 1, row) : centre);
    next.at(x, y) = after.potential;
    recovery.at(x, y) = after.recovery;
  });
}

void nearest_neighbours(const KernelContext& context, const NeighbourSearch& search) {
  const float* const queries = search.queries.data();
  const float* const points = search.points.data();
  Neighbour* const nearest = search.nearest.data();
  const std::size_t dimensions = search.dimensions, k = search.k, count = search.points.size() / dimensions;
  for_items(context, "nearest_neighbours", static_cast<std::int64_t>(search.queries.size() / dimensions),
            [=] __device__(std::int64_t query) {
              const float* const from = queries + static_cast<std::size_t>(query) * dimensions;
              Neighbour* const best = nearest + static_cast<std::size_t>(query) * k;
              std::size_t held = 0;
              float worst = 0;  // of the k that are held, best[k - 1]
              for (std::size_t i = 0; i < count; ++i) {
                float sum = 0;
                for (std::size_t d = 0; d < dimensions; ++d) {
                  const float difference = from[d] - points[d * count + i];
                  sum += difference * difference;
                }
                if (held == k && !(sum < worst)) continue;
                std::size_t at = held == k ? k - 1 : held++;
                for (; at > 0 && sum < best[at - 1].squared_distance; --at) best[at] = best[at - 1];
                best[at] = {sum, static_cast<std::uint32_t>(i)};
                if (held == k) worst = best[k - 1].squared_distance;
              }
            });
}

void frequent_items(const KernelContext& context, const ItemSearch& search, std::size_t first,
                    std::span<ItemCount> counts) {
  const Scratch::Mark mark(context.scratch);
  const Sets sets{search.transactions.data(), static_cast<std::uint32_t>(search.words),
                  static_cast<std::uint32_t>(search.transactions.size() / search.words), search.least_support,
                  search.longest};
  const auto size = static_cast<std::uint32_t>(counts.size());
  const unsigned blocks = std::min(size, kMostBlocks);
  std::uint64_t* const prefixes =
      context.scratch.take<std::uint64_t>(std::size_t{blocks} * search.longest * search.words).data();
  launch(context, "frequent_items", dim3(blocks), dim3(kSetThreads), sets_kernel, sets,
         static_cast<std::uint32_t>(first), counts.data(), size, prefixes);
}

}  // namespace starpath::cuda
