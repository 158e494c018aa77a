// Reconstruction to the limit. Grey: irregular wavefront propagation by tiles. A tile is raised to its own limit in
// shared memory; when its border changed, the tiles beside it are queued. Binary: union and find.
#include <algorithm>

#include "codelets/cuda/tile_queue.hpp"
#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {
namespace {

constexpr int kSide = 32;
constexpr int kFull = kSide + 2;
constexpr int kBlockRows = 8;
constexpr int kPixelsAThread = kSide / kBlockRows;  // in one column
constexpr int kMaxBlocks = 1056;

/// Bit 3 * (dy + 1) + dx + 1 for each neighbour tile that sees pixel (x, y) of this one, through corners too.
__device__ unsigned neighbours_beside(int x, int y) {
  const unsigned columns = 2U | (x == 0 ? 1U : 0U) | (x == kSide - 1 ? 4U : 0U);
  unsigned bits = columns << 3;
  if (y == 0) bits |= columns;
  if (y == kSide - 1) bits |= columns << 6;
  return bits & ~(1U << 4);
}

/// The highest of pixel i of a tile and its neighbours.
template <class T, Connectivity connectivity, class Array>
__device__ T highest_around(Array& image, int i) {
  T value = image[i];
  const auto see = [&](int j) { value = image[j] > value ? image[j] : value; };
  for (const int step : {1, kFull}) see(i - step), see(i + step);
  if constexpr (connectivity == Connectivity::eight)
    for (const int step : {kFull - 1, kFull + 1}) see(i - step), see(i + step);
  return value;
}

/// image = the tile whose pixels begin at (x0, y0) and the pixels around it, 0 outside of `out`.
template <class T, class Array>
__device__ void load_tile(View<T> out, int x0, int y0, Array& image) {
  for (int y = static_cast<int>(threadIdx.y); y < kFull; y += kBlockRows)
    for (int x = static_cast<int>(threadIdx.x); x < kFull; x += kSide) {
      const int u = x0 - 1 + x, v = y0 - 1 + y;
      image[y * kFull + x] = out.contains(u, v) ? load_shared_with_others(&out.at(u, v)) : T{0};
    }
}

/// Raises the tile's pixels until none of the block's changes. The thread's first pixel is image[first].
template <Connectivity connectivity, class T, class Array>
__device__ void raise_to_limit(const T (&limit)[kPixelsAThread], int first, Array& image) {
  while (true) {
    T raised[kPixelsAThread];
    bool changed = false;
    for (int k = 0; k < kPixelsAThread; ++k) {
      const int i = first + k * kBlockRows * kFull;
      const T value = highest_around<T, connectivity>(image, i);
      raised[k] = value > limit[k] ? limit[k] : value;
      changed = changed || raised[k] != image[i];
    }
    if (__syncthreads_or(changed) == 0) return;
    for (int k = 0; k < kPixelsAThread; ++k) image[first + k * kBlockRows * kFull] = raised[k];
    __syncthreads();
  }
}

/// Queues the neighbours of a tile whose bits are set.
__device__ void mark_neighbours(const TileQueue& queue, unsigned bits, int tile_x, int tile_y, int columns, int rows) {
  for (int n = 0; n < 9; ++n) {
    const int x = tile_x + n % 3 - 1, y = tile_y + n / 3 - 1;
    if ((bits >> n & 1U) != 0 && x >= 0 && x < columns && y >= 0 && y < rows) queue.mark(y * columns + x);
  }
}

template <Connectivity connectivity, class T>
__global__ void __launch_bounds__(kSide* kBlockRows)
    propagate(View<const T> mask, View<T> out, TileQueue queue, int columns, int rows) {
  STARPATH_SHARED(T, image, kFull * kFull);
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
    const int x0 = tile_x * kSide, y0 = tile_y * kSide;
    load_tile(out, x0, y0, image);
    T limit[kPixelsAThread], before[kPixelsAThread];
    __syncthreads();
    const auto row_of = [=](int k) { return first_row + k * kBlockRows; };
    const auto index_of = [=](int k) { return (row_of(k) + 1) * kFull + column + 1; };
    for (int k = 0; k < kPixelsAThread; ++k) {
      const int u = x0 + column, v = y0 + row_of(k);
      limit[k] = mask.contains(u, v) ? mask.at(u, v) : T{0};
      before[k] = image[index_of(k)];
    }
    raise_to_limit<connectivity>(limit, index_of(0), image);
    for (int k = 0; k < kPixelsAThread; ++k) {
      const T value = image[index_of(k)];
      if (value == before[k]) continue;
      out.at(x0 + column, y0 + row_of(k)) = value;
      if (const unsigned bits = neighbours_beside(column, row_of(k)); bits != 0) atomicOr(&marks[0], bits);
    }
    __threadfence();
    __syncthreads();
    if (first) {
      mark_neighbours(queue, marks[0], tile_x, tile_y, columns, rows);
      queue.finish(tile);
    }
  }
}

template <class T>
void reconstruct(const KernelContext& context, View<const T> marker, View<const T> mask, Connectivity connectivity,
                 View<T> out) {
  const Scratch::Mark mark(context.scratch);
  const int columns = static_cast<int>(parts_of(mask.width, kSide)),
            rows = static_cast<int>(parts_of(mask.height, kSide));
  for_pixels(context, "cap the marker", mask.width, mask.height, [=] __device__(int x, int y) {
    const T a = marker.at(x, y), b = mask.at(x, y);
    out.at(x, y) = a < b ? a : b;
  });
  const TileQueue queue = queue_tiles(context, columns * rows);
  launch(context, "reconstruct", dim3(static_cast<unsigned>(std::min(queue.tiles, kMaxBlocks))),
         dim3(kSide, kBlockRows),
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
