// Operation 5 on runs: the runs of zeros that are not connected to the border are the holes.
#include "codelets/kernels/fill_holes.hpp"

#include <algorithm>
#include <limits>

#include "codelets/cpu/pixel_runs.hpp"

namespace starpath::cpu {
namespace {

/// Marks the root of each set of runs that touches the border of an image of this width.
std::span<std::uint8_t> border_sets(Scratch& scratch, const RunRows& gaps, const RunSets& sets, int width) {
  const auto outside = scratch.take<std::uint8_t>(gaps.runs.size());
  std::fill(outside.begin(), outside.end(), std::uint8_t{0});
  for (int y = 0; y < gaps.height(); ++y) {
    const bool edge_row = y == 0 || y == gaps.height() - 1;
    for (std::int32_t i = gaps.begin(y); i != gaps.end(y); ++i)
      if (edge_row || gaps[i].x0 == 0 || gaps[i].x1 == width) outside[static_cast<std::size_t>(sets.root(i))] = 1;
  }
  return outside;
}

/// Marks the root of each set of `max_area` pixels or more.
void mark_large_sets(Scratch& scratch, const RunRows& gaps, const RunSets& sets, int max_area,
                     std::span<std::uint8_t> outside) {
  const Scratch::Mark mark(scratch);
  const auto areas = scratch.take<std::int32_t>(gaps.runs.size());
  std::fill(areas.begin(), areas.end(), 0);
  for (std::int32_t i = 0; i < gaps.size(); ++i) {
    const auto root = static_cast<std::size_t>(sets.root(i));
    areas[root] += gaps[i].x1 - gaps[i].x0;
    if (areas[root] >= max_area) outside[root] = 1;
  }
}

/// Writes 255 over the holes of less than `max_area` among the runs of zeros of `filled`.
void fill_gaps(Scratch& scratch, const RunRows& gaps, int max_area, View<std::uint8_t> filled) {
  const RunSets sets = join_runs(scratch, gaps, 0);
  const auto outside = border_sets(scratch, gaps, sets, filled.width);
  if (max_area < std::numeric_limits<int>::max()) mark_large_sets(scratch, gaps, sets, max_area, outside);
  for (int y = 0; y < filled.height; ++y)
    for (std::int32_t i = gaps.begin(y); i != gaps.end(y); ++i)
      if (outside[static_cast<std::size_t>(sets.root(i))] == 0)
        std::fill(filled.row(y) + gaps[i].x0, filled.row(y) + gaps[i].x1, std::uint8_t{255});
}

}  // namespace

void fill_small_holes4(const KernelContext& context, MaskView mask, int max_area, View<std::uint8_t> filled) {
  const Scratch::Mark mark(context.scratch);
  if (filled.data != mask.data)
    for (int y = 0; y < mask.height; ++y) std::copy_n(mask.row(y), mask.width, filled.row(y));
  fill_gaps(context.scratch, find_gaps(context.scratch, mask), max_area, filled);
}

void fill_holes4(const KernelContext& context, MaskView mask, View<std::uint8_t> filled) {
  fill_small_holes4(context, mask, std::numeric_limits<int>::max(), filled);
}

void fill_holes(const KernelContext& context, GrayView difference, int seed_level, View<std::uint8_t> filled) {
  const Scratch::Mark mark(context.scratch);
  for (int y = 0; y < difference.height; ++y) {
    const std::uint8_t* from = difference.row(y);
    std::uint8_t* to = filled.row(y);
    for (int x = 0; x < difference.width; ++x) to[x] = from[x] > seed_level ? 255 : 0;
  }
  fill_gaps(context.scratch, find_gaps(context.scratch, filled), std::numeric_limits<int>::max(), filled);
}

}  // namespace starpath::cpu
