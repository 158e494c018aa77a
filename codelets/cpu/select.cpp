// Operation 7 on runs.
#include "codelets/kernels/select.hpp"

#include <algorithm>

#include "codelets/cpu/components.hpp"
#include "codelets/cpu/cross.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"

namespace starpath::cpu {
namespace {

/// out = in opened by the 3x3 cross.
void open_cross(Scratch& scratch, MaskView in, View<std::uint8_t> out) {
  const Scratch::Mark mark(scratch);
  const int last = in.height - 1;
  const auto width = static_cast<std::size_t>(in.width);
  const auto buffer = scratch.take<std::uint8_t>(3 * width);
  const auto eroded = [&](int y) { return buffer.data() + static_cast<std::size_t>(y % 3) * width; };
  const auto erode = [&](int y) {
    filter_cross_row(in.row(std::max(0, y - 1)), in.row(y), in.row(std::min(last, y + 1)), in.width, eroded(y), both);
  };
  erode(0);
  for (int y = 0; y <= last; ++y) {
    if (y < last) erode(y + 1);
    filter_cross_row(eroded(std::max(0, y - 1)), eroded(y), eroded(std::min(last, y + 1)), in.width, out.row(y),
                     either);
  }
}

/// The runs of nucleus_pixels. `mask` is room to work in.
RunRows runs_of_nuclei(const KernelContext& context, GrayView difference, int level, int reach, int weight,
                       View<std::uint8_t> mask) {
  if (weight == 0)
    return find_runs(context.scratch, difference.width, difference.height,
                     [&](int y) { return [row = difference.row(y), level](int x) { return row[x] > level; }; });
  nucleus_pixels(context, difference, level, reach, weight, mask);
  return find_runs(context.scratch, mask);
}

}  // namespace

void select(const KernelContext& context, GrayView difference, MaskView seeds, MaskView rbc, int nucleus_level,
            int local_reach, int local_weight, int hole_max_area, View<std::uint8_t> selected) {
  const Scratch::Mark mark(context.scratch);
  const int width = difference.width, height = difference.height;
  const auto pixels = static_cast<std::size_t>(difference.pixels());
  const View<std::uint8_t> kept{context.scratch.take<std::uint8_t>(pixels).data(), width, height, width};
  const RunRows rows = runs_of_nuclei(context, difference, nucleus_level, local_reach, local_weight, kept);
  keep_marked(context.scratch, label_runs(context.scratch, rows, Connectivity::eight), seeds, kept);
  for (int y = 0; y < height; ++y) {
    std::uint8_t* row = kept.row(y);
    const std::uint8_t* blood = rbc.row(y);
    for (int x = 0; x < width; ++x) row[x] = static_cast<std::uint8_t>(row[x] & ~blood[x]);
  }
  fill_small_holes4(context, kept, hole_max_area, kept);
  open_cross(context.scratch, kept, selected);
}

}  // namespace starpath::cpu
