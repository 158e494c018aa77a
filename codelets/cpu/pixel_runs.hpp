// Masks as rows of runs, and the union-find that joins runs into objects: the base of fill_holes, rbc, labelling and
// area filters. A 4096x4096 tissue mask has some 100,000 runs, so work on runs costs next to nothing.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "codelets/cpu/bits.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::cpu {

/// Pixels x0 <= x < x1 of a row.
struct PixelRun {
  std::int32_t x0, x1;
};

/// The runs of an image in raster order; those of row y are runs[first[y]] to runs[first[y + 1] - 1]. Runs of a row do
/// not touch: at least one pixel lies between them. Lives in the scratch memory it was made with.
struct RunRows {
  std::span<PixelRun> runs;
  std::span<std::int32_t> first;

  int height() const { return static_cast<int>(first.size()) - 1; }
  std::int32_t begin(int y) const { return first[static_cast<std::size_t>(y)]; }
  std::int32_t end(int y) const { return first[static_cast<std::size_t>(y) + 1]; }
  PixelRun& operator[](std::int32_t i) const { return runs[static_cast<std::size_t>(i)]; }
  std::int32_t size() const { return static_cast<std::int32_t>(runs.size()); }
};

/// The runs of an image given as rows of words_for(width) words each.
inline RunRows runs_of_bits(Scratch& scratch, std::span<const std::uint64_t> bits, int width, int height) {
  const std::size_t words = static_cast<std::size_t>(words_for(width));
  const auto first = scratch.take<std::int32_t>(static_cast<std::size_t>(height) + 1);
  std::int32_t total = 0;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    first[y] = total;
    int edges = 0;
    std::uint64_t before = 0;
    for (const std::uint64_t word : bits.subspan(y * words, words)) {
      edges += std::popcount(edges_of(word, before));
      before = word;
    }
    total += (edges + 1) / 2;  // an odd edge is a run that ends with the row
  }
  first[static_cast<std::size_t>(height)] = total;

  const auto runs = scratch.take<PixelRun>(static_cast<std::size_t>(total));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    PixelRun* run = runs.data() + first[y];
    bool inside = false;
    std::uint64_t before = 0;
    std::int32_t x = 0;
    for (const std::uint64_t word : bits.subspan(y * words, words)) {
      for (std::uint64_t edges = edges_of(word, before); edges != 0; edges &= edges - 1) {
        const std::int32_t edge = x + std::countr_zero(edges);
        if (inside)
          (run++)->x1 = edge;
        else
          run->x0 = edge;
        inside = !inside;
      }
      before = word;
      x += kWordBits;
    }
    if (inside) run->x1 = width;
  }
  return {runs, first};
}

/// The runs of pixels that pass; row_test(y) returns the test of row y, called with x.
template <class RowTest>
RunRows find_runs(Scratch& scratch, int width, int height, RowTest row_test) {
  const std::size_t words = static_cast<std::size_t>(words_for(width));
  const auto bits = scratch.take<std::uint64_t>(words * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) pack_bits(width, row_test(y), bits.data() + words * static_cast<std::size_t>(y));
  return runs_of_bits(scratch, bits, width, height);
}

/// The runs of 255 of a mask.
inline RunRows find_runs(Scratch& scratch, MaskView mask) {
  return find_runs(scratch, mask.width, mask.height,
                   [&](int y) { return [row = mask.row(y)](int x) { return row[x] != 0; }; });
}

/// The runs of 0 of a mask.
inline RunRows find_gaps(Scratch& scratch, MaskView mask) {
  return find_runs(scratch, mask.width, mask.height,
                   [&](int y) { return [row = mask.row(y)](int x) { return row[x] == 0; }; });
}

/// Disjoint sets of runs. The root of a set is its lowest index, which is its first run in raster order.
class RunSets {
 public:
  RunSets(Scratch& scratch, std::int32_t count) : parent_(scratch.take<std::int32_t>(static_cast<std::size_t>(count))) {
    for (std::int32_t i = 0; i < count; ++i) parent(i) = i;
  }
  std::int32_t find(std::int32_t i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  void unite(std::int32_t a, std::int32_t b) {
    a = find(a), b = find(b);
    parent(std::max(a, b)) = std::min(a, b);
  }
  /// Afterwards root(i) answers in one step, until the next unite.
  void flatten() {
    for (auto& p : parent_) p = parent(p);
  }
  std::int32_t root(std::int32_t i) const { return parent_[static_cast<std::size_t>(i)]; }

 private:
  std::int32_t& parent(std::int32_t i) { return parent_[static_cast<std::size_t>(i)]; }
  std::span<std::int32_t> parent_;
};

/// The sets of touching runs, flattened: 4-connected with reach 0, 8-connected with reach 1.
inline RunSets join_runs(Scratch& scratch, const RunRows& rows, std::int32_t reach) {
  RunSets sets(scratch, rows.size());
  for (int y = 1; y < rows.height(); ++y) {
    std::int32_t above = rows.begin(y - 1), here = rows.begin(y);
    while (above != rows.end(y - 1) && here != rows.end(y)) {
      const PixelRun a = rows[above], b = rows[here];
      if (a.x0 < b.x1 + reach && b.x0 < a.x1 + reach) sets.unite(above, here);
      if (a.x1 < b.x1)
        ++above;
      else
        ++here;
    }
  }
  sets.flatten();
  return sets;
}

}  // namespace starpath::cpu
