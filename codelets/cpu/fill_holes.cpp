// Operation 5 on runs: the runs of zeros that are not connected to the border are the holes.
#include "codelets/kernels/fill_holes.hpp"

#include <algorithm>

#include "codelets/cpu/pixel_runs.hpp"

namespace starpath::cpu {
namespace {

/// Flags, at its root, each set of runs that touches the border of an image of this width.
std::span<const std::uint8_t> border_sets(Scratch& scratch, const RunRows& gaps, const RunSets& sets, int width) {
  const auto outside = scratch.take<std::uint8_t>(gaps.runs.size());
  std::fill(outside.begin(), outside.end(), std::uint8_t{0});
  for (int y = 0; y < gaps.height(); ++y) {
    const bool edge_row = y == 0 || y == gaps.height() - 1;
    for (std::int32_t i = gaps.begin(y); i != gaps.end(y); ++i)
      if (edge_row || gaps[i].x0 == 0 || gaps[i].x1 == width) outside[static_cast<std::size_t>(sets.root(i))] = 1;
  }
  return outside;
}

/// Writes 255 over the holes among the runs of zeros of `filled`.
void fill_gaps(Scratch& scratch, const RunRows& gaps, View<std::uint8_t> filled) {
  const RunSets sets = join_runs(scratch, gaps, 0);
  const auto outside = border_sets(scratch, gaps, sets, filled.width);
  for (int y = 0; y < filled.height; ++y)
    for (std::int32_t i = gaps.begin(y); i != gaps.end(y); ++i)
      if (outside[static_cast<std::size_t>(sets.root(i))] == 0)
        std::fill(filled.row(y) + gaps[i].x0, filled.row(y) + gaps[i].x1, std::uint8_t{255});
}

}  // namespace

void fill_holes4(const KernelContext& context, MaskView mask, View<std::uint8_t> filled) {
  const Scratch::Mark mark(context.scratch);
  if (filled.data != mask.data)
    for (int y = 0; y < mask.height; ++y) std::copy_n(mask.row(y), mask.width, filled.row(y));
  fill_gaps(context.scratch, find_gaps(context.scratch, mask), filled);
}

void fill_holes(const KernelContext& context, GrayView difference, int seed_level, View<std::uint8_t> filled) {
  const Scratch::Mark mark(context.scratch);
  for (int y = 0; y < difference.height; ++y) {
    const std::uint8_t* from = difference.row(y);
    std::uint8_t* to = filled.row(y);
    for (int x = 0; x < difference.width; ++x) to[x] = from[x] > seed_level ? 255 : 0;
  }
  fill_gaps(context.scratch, find_gaps(context.scratch, filled), filled);
}

}  // namespace starpath::cpu
