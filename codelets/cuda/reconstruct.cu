// Reconstruction to the limit: irregular wavefront propagation by tiles. A tile is raised to its own limit in shared
// memory; when its border changed, the tiles beside it are queued.
#include <algorithm>

#include "codelets/cuda/tile_queue.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {
namespace {

constexpr int side = 32;
constexpr int full = side + 2;
constexpr int block_rows = 8;
constexpr int own_pixels = side / block_rows;  // a thread, in one column
constexpr int max_blocks = 1056;

/// Bit 3 * (dy + 1) + dx + 1 for each neighbour tile that sees pixel (x, y) of this one.
__device__ unsigned neighbours_beside(int x, int y) {
  const unsigned columns = 2U | (x == 0 ? 1U : 0U) | (x == side - 1 ? 4U : 0U);
  unsigned bits = columns << 3;
  if (y == 0) bits |= columns;
  if (y == side - 1) bits |= columns << 6;
  return bits & ~(1U << 4);
}

__global__ void __launch_bounds__(side* block_rows)
    propagate(View<const std::uint16_t> mask, View<std::uint16_t> out, TileQueue queue, int columns, int rows) {
  STARPATH_SHARED(std::uint16_t, image, full * full);
  STARPATH_SHARED(int, current, 1);
  STARPATH_SHARED(unsigned, marks, 1);
  const int column = static_cast<int>(threadIdx.x), first_row = static_cast<int>(threadIdx.y);
  const bool first = column == 0 && first_row == 0;
  while (true) {
    if (first) {
      current[0] = queue.take();
      marks[0] = 0;
      __threadfence();
    }
    __syncthreads();
    const int tile = current[0];
    if (tile < 0) return;
    const int tile_x = tile % columns, tile_y = tile / columns;
    const int x0 = tile_x * side - 1, y0 = tile_y * side - 1;
    for (int y = first_row; y < full; y += block_rows)
      for (int x = column; x < full; x += side)
        image[y * full + x] =
            out.contains(x0 + x, y0 + y) ? load_shared_with_others(&out.at(x0 + x, y0 + y)) : std::uint16_t{0};
    std::uint16_t limit[own_pixels], before[own_pixels];
    __syncthreads();
    const auto row_of = [=](int k) { return first_row + k * block_rows; };
    for (int k = 0; k < own_pixels; ++k) {
      const int u = x0 + 1 + column, v = y0 + 1 + row_of(k);
      limit[k] = mask.contains(u, v) ? mask.at(u, v) : std::uint16_t{0};
      before[k] = image[(row_of(k) + 1) * full + column + 1];
    }
    while (true) {
      std::uint16_t raised[own_pixels];
      bool changed = false;
      for (int k = 0; k < own_pixels; ++k) {
        const int i = (row_of(k) + 1) * full + column + 1;
        int value = image[i];
        for (int row = i - full; row <= i + full; row += full)
          for (int j = row - 1; j <= row + 1; ++j) value = image[j] > value ? image[j] : value;
        raised[k] = value > limit[k] ? limit[k] : static_cast<std::uint16_t>(value);
        changed = changed || raised[k] != image[i];
      }
      if (__syncthreads_or(changed) == 0) break;
      for (int k = 0; k < own_pixels; ++k) image[(row_of(k) + 1) * full + column + 1] = raised[k];
      __syncthreads();
    }
    for (int k = 0; k < own_pixels; ++k) {
      const std::uint16_t value = image[(row_of(k) + 1) * full + column + 1];
      if (value == before[k]) continue;
      out.at(x0 + 1 + column, y0 + 1 + row_of(k)) = value;
      if (const unsigned bits = neighbours_beside(column, row_of(k)); bits != 0) atomicOr(&marks[0], bits);
    }
    __threadfence();
    __syncthreads();
    if (first) {
      for (int n = 0; n < 9; ++n) {
        const int x = tile_x + n % 3 - 1, y = tile_y + n / 3 - 1;
        if ((marks[0] >> n & 1U) != 0 && x >= 0 && x < columns && y >= 0 && y < rows) queue.mark(y * columns + x);
      }
      queue.finish(tile);
    }
  }
}

}  // namespace

void reconstruct8_u16(const Context& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                      View<std::uint16_t> out) {
  const Scratch::Mark mark(context.scratch);
  const int columns = static_cast<int>(parts_of(mask.width, side)),
            rows = static_cast<int>(parts_of(mask.height, side));
  for_pixels(context, "cap the marker", mask.width, mask.height, [=] __device__(int x, int y) {
    const std::uint16_t a = marker.at(x, y), b = mask.at(x, y);
    out.at(x, y) = a < b ? a : b;
  });
  const TileQueue queue = queue_tiles(context, columns * rows);
  launch(context, "reconstruct8_u16", dim3(static_cast<unsigned>(std::min(queue.tiles, max_blocks))),
         dim3(side, block_rows), propagate, mask, out, queue, columns, rows);
}

}  // namespace starpath::cuda
