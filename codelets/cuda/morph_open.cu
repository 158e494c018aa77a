// Operation 3 in blocks of shared memory, by the same chain of two-pixel passes as on the CPU:
//   11x11 square + diagonal of 4 + antidiagonal of 4 + 3x3 cross = the octagon (cpu/morph_open.cpp).
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/morph_open.hpp"

namespace starpath::cuda {
namespace {

constexpr int kSide = 64;                   // of what a block computes
constexpr int kMargin = 2 * kOctagonReach;  // around it: once for the erosion, once for the dilation
constexpr int kFull = kSide + 2 * kMargin;
constexpr int kBlockColumns = 32, kBlockRows = 8;
static_assert(kOctagonReach == 9 && kOctagonCorner == 14, "the segments below sum up to this octagon only");

struct Min {
  static constexpr int kNeutral = 255;
  STARPATH_HD int operator()(int a, int b) const { return a < b ? a : b; }
};
struct Max {
  static constexpr int kNeutral = 0;
  STARPATH_HD int operator()(int a, int b) const { return a > b ? a : b; }
};

/// Two images of the block in shared memory, and how much of the current one is still known, from its first pixel.
/// Every thread of the block holds the same.
struct Block {
  std::uint8_t *now, *next;
  int width, height;

  __device__ void swap() {
    std::uint8_t* const old = now;
    now = next;
    next = old;
  }
};

/// Calls body(x, y) for the block's pixels, spread over its threads.
template <class Body>
__device__ void for_block(int width, int height, Body body) {
  for (int y = static_cast<int>(threadIdx.y); y < height; y += kBlockRows)
    for (int x = static_cast<int>(threadIdx.x); x < width; x += kBlockColumns) body(x, y);
}

/// p(x, y) <- pick(p(x + ax, y + ay), p(x + bx, y + by)); the offsets are >= 0.
template <class Pick>
__device__ void pass(Block& block, int ax, int ay, int bx, int by) {
  block.width -= ax > bx ? ax : bx;
  block.height -= ay > by ? ay : by;
  const std::uint8_t* const a = block.now + ay * kFull + ax;
  const std::uint8_t* const b = block.now + by * kFull + bx;
  std::uint8_t* const to = block.next;
  for_block(block.width, block.height, [=](int x, int y) {
    const int i = y * kFull + x;
    to[i] = static_cast<std::uint8_t>(Pick{}(a[i], b[i]));
  });
  __syncthreads();
  block.swap();
}

template <class Pick>
__device__ void cross(Block& block) {
  block.width -= 2;
  block.height -= 2;
  const std::uint8_t* const from = block.now + kFull + 1;
  std::uint8_t* const to = block.next;
  for_block(block.width, block.height, [=](int x, int y) {
    const std::uint8_t* const p = from + y * kFull + x;
    const Pick pick;
    to[y * kFull + x] = static_cast<std::uint8_t>(pick(pick(pick(p[0], p[-1]), pick(p[1], p[-kFull])), p[kFull]));
  });
  __syncthreads();
  block.swap();
}

/// Erodes (Min) or dilates (Max) by the octagon. The result for block pixel (x, y) lands on (x - 9, y - 9).
template <class Pick>
__device__ void octagon(Block& block) {
  for (int axis = 0; axis < 2; ++axis)
    for (int i = 0; i < 4; ++i) {
      const int step = i == 3 ? 3 : 1 << i;  // 1 2 4 3: segments of 2, 4, 8 and 11
      pass<Pick>(block, 0, 0, axis == 0 ? step : 0, axis == 0 ? 0 : step);
    }
  for (int step = 1; step <= 2; ++step) pass<Pick>(block, 0, 0, step, step);
  for (int step = 1; step <= 2; ++step) pass<Pick>(block, step, 0, 0, step);
  cross<Pick>(block);
}

__global__ void __launch_bounds__(kBlockColumns* kBlockRows)
    open_kernel(RgbView rgb, View<std::uint8_t> inverted, View<std::uint8_t> opened) {
  STARPATH_SHARED(std::uint8_t, first, kFull * kFull);
  STARPATH_SHARED(std::uint8_t, second, kFull * kFull);
  const int x0 = static_cast<int>(blockIdx.x) * kSide, y0 = static_cast<int>(blockIdx.y) * kSide;
  Block block{first, second, kFull, kFull};
  for_block(kFull, kFull, [&](int x, int y) {
    const int u = x0 + x - kMargin, v = y0 + y - kMargin;
    first[y * kFull + x] = static_cast<std::uint8_t>(rgb.contains(u, v) ? 255 - rgb.at(u, v).r : Min::kNeutral);
  });
  __syncthreads();
  for_block(kSide, kSide, [&](int x, int y) {
    if (inverted.contains(x0 + x, y0 + y)) inverted.at(x0 + x, y0 + y) = first[(y + kMargin) * kFull + x + kMargin];
  });
  __syncthreads();
  octagon<Min>(block);
  std::uint8_t* const eroded = block.now;
  for_block(block.width, block.height, [=](int x, int y) {
    if (!rgb.contains(x0 + x - kOctagonReach, y0 + y - kOctagonReach)) eroded[y * kFull + x] = Max::kNeutral;
  });
  __syncthreads();
  octagon<Max>(block);
  const std::uint8_t* const result = block.now;
  for_block(kSide, kSide, [=](int x, int y) {
    if (opened.contains(x0 + x, y0 + y)) opened.at(x0 + x, y0 + y) = result[y * kFull + x];
  });
}

}  // namespace

void morph_open(const KernelContext& context, RgbView rgb, View<std::uint8_t> inverted, View<std::uint8_t> opened) {
  launch(context, "morph_open", dim3(parts_of(rgb.width, kSide), parts_of(rgb.height, kSide)),
         dim3(kBlockColumns, kBlockRows), open_kernel, rgb, inverted, opened);
}

}  // namespace starpath::cuda
