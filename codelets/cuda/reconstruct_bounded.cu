// The bounded reconstruction of operation 4: many geodesic steps at a time on tiles in registers. A lane holds four
// pixels of each row of its warp. Their neighbours left and right come from the lanes beside, those above and below
// through shared memory.
#include <utility>

#include "codelets/cuda/pixel_pairs.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {
namespace {

constexpr int kStepsAtOnce = 16;  // a tile with a margin of this width can do so many alone
constexpr int kLanes = 32, kPixelsALane = 4;
constexpr int kWarps = 16, kRowsAWarp = 8;
constexpr int kFull = kLanes * kPixelsALane;
static_assert(kFull == kWarps * kRowsAWarp);
constexpr int kSide = kFull - 2 * kStepsAtOnce;  // of a tile without its margin

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

struct FourPixels {
  PixelPair left, right;

  STARPATH_HD friend bool operator==(const FourPixels& a, const FourPixels& b) {
    return a.left == b.left && a.right == b.right;
  }
};

__device__ FourPixels higher(const FourPixels& a, const FourPixels& b) {
  return {pixel_max(a.left, b.left), pixel_max(a.right, b.right)};
}

/// A tile as the block's lanes hold it: each its rows of one column of four pixels.
struct Tile {
  int x, y;  // of the lane's first pixel

  /// Calls body(row, i, u, v) for the lane's pixels: pixel i of a row is pixel (u, v) of the image, which may be
  /// outside.
  template <class Body>
  __device__ void for_pixels(Body body) const {
    for (int row = 0; row < kRowsAWarp; ++row)
      for (int i = 0; i < kPixelsALane; ++i) body(row, i, x + i, y + row);
  }

  /// 0 outside the image.
  __device__ void load(GrayView image, FourPixels (&rows)[kRowsAWarp]) const {
    for (int row = 0; row < kRowsAWarp; ++row) rows[row] = {0, 0};
    for_pixels([&](int row, int i, int u, int v) {
      const unsigned value = image.contains(u, v) ? image.at(u, v) : 0U;
      (i < 2 ? rows[row].left : rows[row].right) |= value << 16 * (i % 2);
    });
  }
};

/// Geodesic steps of the pixels that the lane holds, until the block's pixels stay as they are. At the sides of the
/// tile a lane takes its own pixels for the missing neighbours. The resulting error moves inwards by a pixel a step, as
/// the missing pixels do anyway, and stays in the margin.
template <class Edges>
__device__ void do_steps(FourPixels (&rows)[kRowsAWarp], const FourPixels (&limit)[kRowsAWarp], int steps,
                         Edges& edges) {
  constexpr int count = kLanes * kWarps;
  const int warp = static_cast<int>(threadIdx.y), thread = warp * kLanes + static_cast<int>(threadIdx.x);
  bool raised = true;
  for (int step = 0; step < steps; ++step) {
    FourPixels around[kRowsAWarp];  // the highest of three along the row
    for (int row = 0; row < kRowsAWarp; ++row) {
      const auto [left, right] = rows[row];
      const PixelPair before = __shfl_up_sync(~0U, right, 1), after = __shfl_down_sync(~0U, left, 1);
      around[row] = {highest_in_row(before, left, right), highest_in_row(left, right, after)};
    }
    // First and last rows of all lanes; in turns, so that no writer of the next step overtakes a reader of this one.
    const int top = step % 2 * 2 * count, bottom = top + count;
    edges[top + thread] = around[0];
    edges[bottom + thread] = around[kRowsAWarp - 1];
    if (!__syncthreads_or(raised)) return;
    raised = false;
    FourPixels above = warp > 0 ? edges[bottom + thread - kLanes] : FourPixels{0, 0};
    const FourPixels below = warp < kWarps - 1 ? edges[top + thread + kLanes] : FourPixels{0, 0};
    for (int row = 0; row < kRowsAWarp; ++row) {
      const FourPixels next = row < kRowsAWarp - 1 ? around[row + 1] : below;
      const FourPixels highest = higher(around[row], higher(above, next));
      above = around[row];
      const FourPixels value{pixel_min(highest.left, limit[row].left), pixel_min(highest.right, limit[row].right)};
      raised = raised || !(value == rows[row]);
      rows[row] = value;
    }
  }
}

/// `steps` geodesic steps of one tile from `from` to `to`, all pixels at once. A tile is left out when nothing around
/// it changed in the last launch: it cannot change then, and `to`, which that launch read, holds the same.
__global__ void __launch_bounds__(kLanes* kWarps, 2)
    steps_kernel(GrayView from, GrayView mask, int steps, Changes changes, View<std::uint8_t> to) {
  STARPATH_SHARED(FourPixels, edges, 4 * kLanes * kWarps);
  const int tile_x = static_cast<int>(blockIdx.x), tile_y = static_cast<int>(blockIdx.y);
  const int columns = static_cast<int>(gridDim.x), index = tile_y * columns + tile_x;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const bool first = lane == 0 && warp == 0;
  if (changes.before != nullptr &&
      !changed_around(changes.before, tile_x, tile_y, columns, static_cast<int>(gridDim.y))) {
    if (first) changes.now[index] = 0;
    return;
  }
  const Tile tile{tile_x * kSide - kStepsAtOnce + lane * kPixelsALane,
                  tile_y * kSide - kStepsAtOnce + warp * kRowsAWarp};
  FourPixels rows[kRowsAWarp], limit[kRowsAWarp];
  tile.load(from, rows);
  tile.load(mask, limit);
  do_steps(rows, limit, steps, edges);
  // Margins are whole lanes and warps.
  constexpr int margin_lanes = kStepsAtOnce / kPixelsALane, margin_warps = kStepsAtOnce / kRowsAWarp;
  static_assert(kStepsAtOnce % kPixelsALane == 0 && kStepsAtOnce % kRowsAWarp == 0);
  bool changed = false;
  if (lane >= margin_lanes && lane < kLanes - margin_lanes && warp >= margin_warps && warp < kWarps - margin_warps)
    tile.for_pixels([&](int row, int i, int u, int v) {
      if (!to.contains(u, v)) return;
      const auto value = static_cast<std::uint8_t>((i < 2 ? rows[row].left : rows[row].right) >> 16 * (i % 2));
      changed = changed || value != from.at(u, v);
      to.at(u, v) = value;
    });
  const int any = __syncthreads_or(changed);
  if (first) changes.now[index] = any != 0 ? 1 : 0;
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
    launch(context, "geodesic steps", grid, dim3(kLanes, kWarps), steps_kernel, GrayView(now), mask,
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
