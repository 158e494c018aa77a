// Operation 2 on runs: runs above the low ratio, joined, kept when one of them reaches the high ratio.
#include "codelets/kernels/rbc.hpp"

#include <algorithm>

#include "codelets/cpu/pixel_runs.hpp"

namespace starpath::cpu {
namespace {

bool reaches(int high, const Rgb* row, PixelRun run) {
  return std::any_of(row + run.x0, row + run.x1, [high](Rgb p) { return redder_than(p, high); });
}

void add_unstained(RgbView rgb, int haematoxylin, View<std::uint8_t> mask) {
  for (int y = 0; y < rgb.height; ++y) {
    const Rgb* from = rgb.row(y);
    std::uint8_t* to = mask.row(y);
    for (int x = 0; x < rgb.width; ++x)
      to[x] = static_cast<std::uint8_t>(to[x] | (is_unstained(from[x], haematoxylin) ? 255 : 0));
  }
}

}  // namespace

void rbc(const KernelContext& context, RgbView rgb, int high, int low, int haematoxylin, View<std::uint8_t> mask) {
  const Scratch::Mark mark(context.scratch);
  const RunRows rows = find_runs(context.scratch, rgb.width, rgb.height, [&](int y) {
    return [row = rgb.row(y), low](int x) { return redder_than(row[x], low); };
  });
  const RunSets sets = join_runs(context.scratch, rows, 1);
  const auto kept = context.scratch.take<std::uint8_t>(rows.runs.size());
  std::fill(kept.begin(), kept.end(), std::uint8_t{0});
  for (int y = 0; y < rgb.height; ++y)
    for (std::int32_t i = rows.begin(y); i != rows.end(y); ++i)
      if (reaches(high, rgb.row(y), rows[i])) kept[static_cast<std::size_t>(sets.root(i))] = 1;

  for (int y = 0; y < rgb.height; ++y) {
    std::fill_n(mask.row(y), rgb.width, std::uint8_t{0});
    for (std::int32_t i = rows.begin(y); i != rows.end(y); ++i) {
      if (kept[static_cast<std::size_t>(sets.root(i))] == 0) continue;
      for (int x = rows[i].x0; x < rows[i].x1; ++x) mask.at(x, y) = rgb.at(x, y).r > rgb.at(x, y).b ? 255 : 0;
    }
  }
  if (haematoxylin > 0) add_unstained(rgb, haematoxylin, mask);
}

}  // namespace starpath::cpu
