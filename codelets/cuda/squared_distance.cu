// Exact distances: columns in chunks, then a search along rows that stops at the best distance so far.
#include <limits>

#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/pre_watershed.hpp"

namespace starpath::cuda {
namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();
constexpr int kChunk = 32;  // rows

}  // namespace

/// rows = distance to the nearest 0 of the own column, or far.
static void vertical_distances(const KernelContext& context, MaskView mask, std::int32_t* rows) {
  const Scratch::Mark mark(context.scratch);
  const int width = mask.width, height = mask.height, chunks = static_cast<int>(parts_of(height, kChunk));
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(chunks);
  // Of each column and chunk: the last row with a 0 at or above its end, the first one at or below its beginning.
  std::int32_t* const last = context.scratch.take<std::int32_t>(count).data();
  std::int32_t* const next = context.scratch.take<std::int32_t>(count).data();
  for_pixels(context, "zeros of chunks", width, chunks, [=] __device__(int x, int c) {
    std::int32_t first_zero = kFar, last_zero = -1;
    for (int y = c * kChunk; y < height && y < (c + 1) * kChunk; ++y) {
      if (mask.at(x, y) != 0) continue;
      if (first_zero == kFar) first_zero = y;
      last_zero = y;
    }
    last[c * width + x] = last_zero;
    next[c * width + x] = first_zero;
  });
  for_items(context, "zeros of columns", width, [=] __device__(std::int64_t x) {
    for (int c = 1; c < chunks; ++c)
      if (last[c * width + x] < 0) last[c * width + x] = last[(c - 1) * width + x];
    for (int c = chunks - 2; c >= 0; --c)
      if (next[c * width + x] == kFar) next[c * width + x] = next[(c + 1) * width + x];
  });
  for_pixels(context, "distances in columns", width, chunks, [=] __device__(int x, int c) {
    const int begin = c * kChunk, end = height < begin + kChunk ? height : begin + kChunk;
    std::int32_t above = c == 0 ? -1 : last[(c - 1) * width + x];
    for (int y = begin; y < end; ++y) {
      if (mask.at(x, y) == 0) above = y;
      rows[y * width + x] = above < 0 ? kFar : y - above;
    }
    std::int32_t below = c == chunks - 1 ? kFar : next[(c + 1) * width + x];
    for (int y = end - 1; y >= begin; --y) {
      if (mask.at(x, y) == 0) below = y;
      if (below != kFar && below - y < rows[y * width + x]) rows[y * width + x] = below - y;
    }
  });
}

void squared_distance(const KernelContext& context, MaskView mask, View<std::int32_t> squared) {
  const Scratch::Mark mark(context.scratch);
  const int width = mask.width;
  std::int32_t* const rows = take_image<std::int32_t>(context, mask).data;
  vertical_distances(context, mask, rows);
  for_pixels(context, "squared_distance", width, mask.height, [=] __device__(int x, int y) {
    const std::int32_t* const row = rows + y * width;
    std::int64_t best = kFar;
    const auto look = [&](int column, std::int64_t aside) {
      if (row[column] == kFar) return;
      const std::int64_t found = aside + std::int64_t{row[column]} * row[column];
      best = found < best ? found : best;
    };
    look(x, 0);
    for (int dx = 1; dx < width; ++dx) {
      const std::int64_t aside = std::int64_t{dx} * dx;
      if (aside >= best || (x - dx < 0 && x + dx >= width)) break;
      if (x - dx >= 0) look(x - dx, aside);
      if (x + dx < width) look(x + dx, aside);
    }
    squared.at(x, y) = static_cast<std::int32_t>(best);
  });
}

}  // namespace starpath::cuda
