// Reconstruction to the limit. Grey: irregular wavefront propagation by tiles. A tile is raised to its own limit in
// shared memory; when its border changed, the tiles beside it are queued. Binary: union and find.
#include <algorithm>

#include "codelets/cuda/tile_queue.hpp"
#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {
namespace {

constexpr int side = 32;
constexpr int full = side + 2;
constexpr int block_rows = 8;
constexpr int pixels_a_thread = side / block_rows;  // in one column
constexpr int max_blocks = 1056;

/// Bit 3 * (dy + 1) + dx + 1 for each neighbour tile that sees pixel (x, y) of this one, through corners too.
__device__ unsigned neighbours_beside(int x, int y) {
  const unsigned columns = 2U | (x == 0 ? 1U : 0U) | (x == side - 1 ? 4U : 0U);
  unsigned bits = columns << 3;
  if (y == 0) bits |= columns;
  if (y == side - 1) bits |= columns << 6;
  return bits & ~(1U << 4);
}

/// The highest of pixel i of a tile and its neighbours.
template <class T, Connectivity connectivity, class Array>
__device__ T highest_around(Array& image, int i) {
  T value = image[i];
  const auto see = [&](int j) { value = image[j] > value ? image[j] : value; };
  for (const int step : {1, full}) see(i - step), see(i + step);
  if constexpr (connectivity == Connectivity::eight)
    for (const int step : {full - 1, full + 1}) see(i - step), see(i + step);
  return value;
}

template <Connectivity connectivity, class T>
__global__ void __launch_bounds__(side* block_rows)
    propagate(View<const T> mask, View<T> out, TileQueue queue, int columns, int rows) {
  STARPATH_SHARED(T, image, full * full);
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
        image[y * full + x] = out.contains(x0 + x, y0 + y) ? load_shared_with_others(&out.at(x0 + x, y0 + y)) : T{0};
    T limit[pixels_a_thread], before[pixels_a_thread];
    __syncthreads();
    const auto row_of = [=](int k) { return first_row + k * block_rows; };
    for (int k = 0; k < pixels_a_thread; ++k) {
      const int u = x0 + 1 + column, v = y0 + 1 + row_of(k);
      limit[k] = mask.contains(u, v) ? mask.at(u, v) : T{0};
      before[k] = image[(row_of(k) + 1) * full + column + 1];
    }
    while (true) {
      T raised[pixels_a_thread];
      bool changed = false;
      for (int k = 0; k < pixels_a_thread; ++k) {
        const int i = (row_of(k) + 1) * full + column + 1;
        const T value = highest_around<T, connectivity>(image, i);
        raised[k] = value > limit[k] ? limit[k] : value;
        changed = changed || raised[k] != image[i];
      }
      if (__syncthreads_or(changed) == 0) break;
      for (int k = 0; k < pixels_a_thread; ++k) image[(row_of(k) + 1) * full + column + 1] = raised[k];
      __syncthreads();
    }
    for (int k = 0; k < pixels_a_thread; ++k) {
      const T value = image[(row_of(k) + 1) * full + column + 1];
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

template <class T>
void reconstruct(const KernelContext& context, View<const T> marker, View<const T> mask, Connectivity connectivity,
                 View<T> out) {
  const Scratch::Mark mark(context.scratch);
  const int columns = static_cast<int>(parts_of(mask.width, side)),
            rows = static_cast<int>(parts_of(mask.height, side));
  for_pixels(context, "cap the marker", mask.width, mask.height, [=] __device__(int x, int y) {
    const T a = marker.at(x, y), b = mask.at(x, y);
    out.at(x, y) = a < b ? a : b;
  });
  const TileQueue queue = queue_tiles(context, columns * rows);
  launch(context, "reconstruct", dim3(static_cast<unsigned>(std::min(queue.tiles, max_blocks))), dim3(side, block_rows),
         connectivity == Connectivity::eight ? propagate<Connectivity::eight, T> : propagate<Connectivity::four, T>,
         mask, out, queue, columns, rows);
}

}  // namespace

void reconstruct_u8(const KernelContext& context, GrayView marker, GrayView mask, Connectivity connectivity,
                    View<std::uint8_t> out) {
  reconstruct(context, marker, mask, connectivity, out);
}

void reconstruct_u16(const KernelContext& context, View<const std::uint16_t> marker, View<const std::uint16_t> mask,
                     Connectivity connectivity, View<std::uint16_t> out) {
  reconstruct(context, marker, mask, connectivity, out);
}

void reconstruct_binary(const KernelContext& context, MaskView marker, MaskView mask, Connectivity connectivity,
                        View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  const int width = mask.width, height = mask.height;
  std::int32_t* const roots = take_image<std::int32_t>(context, mask).data;
  find_components(context, width, height, connectivity, SetPixels{mask}, roots);
  const std::uint8_t* const marked = flag_marked(context, marker, roots);
  for_pixels(context, "reconstruct_binary", width, height, [=] __device__(int x, int y) {
    const std::int32_t root = roots[y * width + x];
    out.at(x, y) = root >= 0 && marked[root] != 0 ? 255 : 0;
  });
}

}  // namespace starpath::cuda
