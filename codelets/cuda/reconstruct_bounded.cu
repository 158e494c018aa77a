// The bounded reconstruction of operation 4: many geodesic steps at a time on tiles in shared memory.
#include <utility>

#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {
namespace {

constexpr int kSide = 64;         // of a tile
constexpr int kStepsAtOnce = 16;  // what a tile with as wide a margin can do alone
constexpr int kFull = kSide + 2 * kStepsAtOnce;
constexpr int kBlockColumns = 32, kBlockRows = 8;

/// Which tiles the last launch changed, and where this one says so.
struct Changes {
  const std::uint8_t* before;  // nullptr: all
  std::uint8_t* now;
};

__device__ bool changed_around(const std::uint8_t* changed, int tile_x, int tile_y, int columns, int rows) {
  for (int y = tile_y - 1; y <= tile_y + 1; ++y)
    for (int x = tile_x - 1; x <= tile_x + 1; ++x)
      if (x >= 0 && x < columns && y >= 0 && y < rows && changed[y * columns + x] != 0) return true;
  return false;
}

template <class Body>
__device__ void for_tile(Body body) {
  for (int y = static_cast<int>(threadIdx.y); y < kFull; y += kBlockRows)
    for (int x = static_cast<int>(threadIdx.x); x < kFull; x += kBlockColumns) body(x, y, y * kFull + x);
}

/// `steps` geodesic steps of one tile from `from` to `to`, all pixels at once. A tile is left out when nothing around
/// it changed in the last launch: it cannot change then, and `to`, which that launch read, holds the same.
__global__ void __launch_bounds__(kBlockColumns* kBlockRows)
    steps_kernel(GrayView from, GrayView mask, int steps, Changes changes, View<std::uint8_t> to) {
  STARPATH_SHARED(std::uint8_t, image, kFull * kFull);
  STARPATH_SHARED(std::uint8_t, limit, kFull * kFull);
  STARPATH_SHARED(std::uint8_t, rows, kFull * kFull);  // the maximum of three along the row
  const int tile_x = static_cast<int>(blockIdx.x), tile_y = static_cast<int>(blockIdx.y);
  const int columns = static_cast<int>(gridDim.x), tile = tile_y * columns + tile_x;
  const bool first = threadIdx.x == 0 && threadIdx.y == 0;
  if (changes.before != nullptr &&
      !changed_around(changes.before, tile_x, tile_y, columns, static_cast<int>(gridDim.y))) {
    if (first) changes.now[tile] = 0;
    return;
  }
  const int x0 = tile_x * kSide - kStepsAtOnce, y0 = tile_y * kSide - kStepsAtOnce;
  for_tile([&](int x, int y, int i) {
    const bool inside = from.contains(x0 + x, y0 + y);  // 0 neither raises nor can be raised
    image[i] = inside ? from.at(x0 + x, y0 + y) : std::uint8_t{0};
    limit[i] = inside ? mask.at(x0 + x, y0 + y) : std::uint8_t{0};
  });
  __syncthreads();
  for (int t = 0; t < steps; ++t) {
    for_tile([&](int x, int, int i) {
      int value = image[i];
      if (x > 0 && image[i - 1] > value) value = image[i - 1];
      if (x < kFull - 1 && image[i + 1] > value) value = image[i + 1];
      rows[i] = static_cast<std::uint8_t>(value);
    });
    __syncthreads();
    bool raised = false;
    for_tile([&](int, int y, int i) {
      int value = rows[i];
      if (y > 0 && rows[i - kFull] > value) value = rows[i - kFull];
      if (y < kFull - 1 && rows[i + kFull] > value) value = rows[i + kFull];
      if (value > limit[i]) value = limit[i];
      raised = raised || value != image[i];
      image[i] = static_cast<std::uint8_t>(value);
    });
    if (!__syncthreads_or(raised)) break;
  }
  bool changed = false;
  for_tile([&](int x, int y, int i) {
    const int u = x0 + x, v = y0 + y;
    const bool inside = x >= kStepsAtOnce && x < kStepsAtOnce + kSide && y >= kStepsAtOnce && y < kStepsAtOnce + kSide;
    if (!inside || !to.contains(u, v)) return;
    changed = changed || image[i] != from.at(u, v);
    to.at(u, v) = image[i];
  });
  const int any = __syncthreads_or(changed);
  if (first) changes.now[tile] = any != 0 ? 1 : 0;
}

}  // namespace

/// The result lies in scratch memory.
static GrayView bounded(const KernelContext& context, GrayView marker, GrayView mask, int steps) {
  const dim3 grid(parts_of(mask.width, kSide), parts_of(mask.height, kSide));
  const std::size_t tiles = std::size_t{grid.x} * grid.y;
  View<std::uint8_t> now = take_image<std::uint8_t>(context, mask), next = take_image<std::uint8_t>(context, mask);
  for_pixels(context, "cap the marker", mask.width, mask.height, [=] __device__(int x, int y) {
    const std::uint8_t a = marker.at(x, y), b = mask.at(x, y);
    now.at(x, y) = a < b ? a : b;
  });
  std::uint8_t* changed = context.scratch.take<std::uint8_t>(tiles).data();
  std::uint8_t* changed_before = context.scratch.take<std::uint8_t>(tiles).data();
  for (int done = 0; done < steps; done += kStepsAtOnce) {
    const int left = steps - done;
    launch(context, "geodesic steps", grid, dim3(kBlockColumns, kBlockRows), steps_kernel, GrayView(now), mask,
           left < kStepsAtOnce ? left : kStepsAtOnce, Changes{done == 0 ? nullptr : changed_before, changed}, next);
    std::swap(now, next);
    std::swap(changed, changed_before);
  }
  return now;
}

void reconstruct8_bounded(const KernelContext& context, GrayView marker, GrayView mask, int steps,
                          View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  const GrayView result = bounded(context, marker, mask, steps);
  for_pixels(context, "copy", mask.width, mask.height,
             [=] __device__(int x, int y) { out.at(x, y) = result.at(x, y); });
}

void recon_to_nuclei(const KernelContext& context, GrayView inverted, GrayView opened, int steps,
                     View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  const GrayView rebuilt = bounded(context, opened, inverted, steps);
  for_pixels(context, "recon_to_nuclei", inverted.width, inverted.height, [=] __device__(int x, int y) {
    difference.at(x, y) = static_cast<std::uint8_t>(inverted.at(x, y) - rebuilt.at(x, y));
  });
}

}  // namespace starpath::cuda
