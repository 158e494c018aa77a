// Operation 3 in blocks of shared memory, by the same chain of two-pixel passes as on the CPU:
//   square + diagonal of d + antidiagonal of d + 3x3 cross = the octagon (cpu/morph_open.cpp).
// Octagons that are too wide for that take the same passes over the whole image in scratch memory.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/morph_open.hpp"

namespace starpath::cuda {
namespace {

constexpr int kSide = 64;                          // of what a block computes
constexpr int kMaxBlockReach = 9;                  // of octagons that blocks take
constexpr int kFull = kSide + 4 * kMaxBlockReach;  // with the margins: once for the erosion, once for the dilation
constexpr int kBlockColumns = 32, kBlockRows = 8;

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

/// The steps by which a segment of one pixel grows to `length` pixels: for (Steps s(n); s.next();) uses s.step.
struct Steps {
  int length, grown = 1, step = 0;

  STARPATH_HD explicit Steps(int pixels) : length(pixels) {}
  STARPATH_HD bool next() {
    grown += step;
    step = grown < length - grown ? grown : length - grown;
    return step > 0;
  }
};

/// Erodes (Min) or dilates (Max) by the octagon. The result for block pixel (x, y) lands `reach` pixels further left
/// and up.
template <class Pick>
__device__ void erode_or_dilate(Block& block, Octagon shape) {
  for (Steps s(2 * shape.square + 1); s.next();) pass<Pick>(block, 0, 0, s.step, 0);
  for (Steps s(2 * shape.square + 1); s.next();) pass<Pick>(block, 0, 0, 0, s.step);
  if (shape.diamond == 0) return;
  for (Steps s(shape.diamond); s.next();) pass<Pick>(block, 0, 0, s.step, s.step);
  for (Steps s(shape.diamond); s.next();) pass<Pick>(block, s.step, 0, 0, s.step);
  cross<Pick>(block);
}

__global__ void __launch_bounds__(kBlockColumns* kBlockRows)
    open_kernel(RgbView rgb, Octagon shape, View<std::uint8_t> inverted, View<std::uint8_t> opened) {
  STARPATH_SHARED(std::uint8_t, first, kFull * kFull);
  STARPATH_SHARED(std::uint8_t, second, kFull * kFull);
  const int x0 = static_cast<int>(blockIdx.x) * kSide, y0 = static_cast<int>(blockIdx.y) * kSide;
  const int reach = shape.reach(), margin = 2 * reach, full = kSide + 2 * margin;
  Block block{first, second, full, full};
  for_block(full, full, [&](int x, int y) {
    const int u = x0 + x - margin, v = y0 + y - margin;
    first[y * kFull + x] = static_cast<std::uint8_t>(rgb.contains(u, v) ? 255 - rgb.at(u, v).r : Min::kNeutral);
  });
  __syncthreads();
  for_block(kSide, kSide, [&](int x, int y) {
    if (inverted.contains(x0 + x, y0 + y)) inverted.at(x0 + x, y0 + y) = first[(y + margin) * kFull + x + margin];
  });
  __syncthreads();
  erode_or_dilate<Min>(block, shape);
  std::uint8_t* const eroded = block.now;
  for_block(block.width, block.height, [=](int x, int y) {
    if (!rgb.contains(x0 + x - reach, y0 + y - reach)) eroded[y * kFull + x] = Max::kNeutral;
  });
  __syncthreads();
  erode_or_dilate<Max>(block, shape);
  const std::uint8_t* const result = block.now;
  for_block(kSide, kSide, [=](int x, int y) {
    if (opened.contains(x0 + x, y0 + y)) opened.at(x0 + x, y0 + y) = result[y * kFull + x];
  });
}

/// One step of the wide path: `from` and `to` are canvases of the same size; beyond the canvas pixels are neutral.
template <class Pick>
void wide_pass(const KernelContext& context, View<std::uint8_t>& now, View<std::uint8_t>& next, int ax, int ay, int bx,
               int by) {
  const GrayView from = now;
  const View<std::uint8_t> to = next;
  for_pixels(context, "morph_open pass", from.width, from.height, [=] __device__(int x, int y) {
    const int a = from.contains(x + ax, y + ay) ? from.at(x + ax, y + ay) : Pick::kNeutral;
    const int b = from.contains(x + bx, y + by) ? from.at(x + bx, y + by) : Pick::kNeutral;
    to.at(x, y) = static_cast<std::uint8_t>(Pick{}(a, b));
  });
  next = now;
  now = to;
}

/// out = `image` eroded (Min) or dilated (Max) by any octagon; `out` may alias `image`. A canvas holds pixel (x, y) at
/// (x + reach, y + reach), and in the end the result of the octagon around it at (x, y).
template <class Pick>
void wide_erode_or_dilate(const KernelContext& context, GrayView image, Octagon shape, View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  const int reach = shape.reach(), width = image.width + reach, height = image.height + reach;
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  View<std::uint8_t> now{context.scratch.take<std::uint8_t>(pixels).data(), width, height, width}, next = now;
  next.data = context.scratch.take<std::uint8_t>(pixels).data();
  const View<std::uint8_t> canvas = now;
  for_pixels(context, "morph_open canvas", width, height, [=] __device__(int x, int y) {
    const bool inside = x >= reach && y >= reach;
    canvas.at(x, y) = static_cast<std::uint8_t>(inside ? image.at(x - reach, y - reach) : Pick::kNeutral);
  });
  const auto pass = [&](int ax, int ay, int bx, int by) { wide_pass<Pick>(context, now, next, ax, ay, bx, by); };
  for (Steps s(2 * shape.square + 1); s.next();) pass(0, 0, s.step, 0);
  for (Steps s(2 * shape.square + 1); s.next();) pass(0, 0, 0, s.step);
  for (Steps s(shape.diamond); s.next();) pass(0, 0, s.step, s.step);
  for (Steps s(shape.diamond); s.next();) pass(s.step, 0, 0, s.step);
  const GrayView result = now;
  // The cross; a reach this wide has one.
  for_pixels(context, "morph_open cross", image.width, image.height, [=] __device__(int x, int y) {
    const auto at = [&](int u, int v) { return result.contains(u, v) ? result.at(u, v) : Pick::kNeutral; };
    const Pick pick;
    out.at(x, y) = static_cast<std::uint8_t>(
        pick(pick(pick(at(x + 1, y + 1), at(x, y + 1)), pick(at(x + 2, y + 1), at(x + 1, y))), at(x + 1, y + 2)));
  });
}

}  // namespace

void morph_open(const KernelContext& context, RgbView rgb, int reach, View<std::uint8_t> inverted,
                View<std::uint8_t> opened) {
  const Octagon shape = octagon_of(reach);
  if (reach <= kMaxBlockReach) {
    launch(context, "morph_open", dim3(parts_of(rgb.width, kSide), parts_of(rgb.height, kSide)),
           dim3(kBlockColumns, kBlockRows), open_kernel, rgb, shape, inverted, opened);
    return;
  }
  for_pixels(context, "invert", rgb.width, rgb.height,
             [=] __device__(int x, int y) { inverted.at(x, y) = static_cast<std::uint8_t>(255 - rgb.at(x, y).r); });
  wide_erode_or_dilate<Min>(context, inverted, shape, opened);
  wide_erode_or_dilate<Max>(context, opened, shape, opened);
}

}  // namespace starpath::cuda
