// Operation 3 in blocks that stay in cache. The octagon is the Minkowski sum of short segments. So its erosion is a
// chain of passes, and each takes the minimum of two shifted rows:
//   square (|dx|, |dy| <= s)  +  diagonal of d  +  antidiagonal of d  +  3x3 cross  =  the octagon.
// Diagonal, antidiagonal and cross together are the diamond |dx| + |dy| <= d. Each segment grows by doubling.
#include "codelets/kernels/morph_open.hpp"

#include <algorithm>

namespace starpath::cpu {
namespace {

/// Pixels that a block needs around its result: once for the erosion, once more for the dilation.
constexpr int margin_of(Octagon shape) { return 2 * shape.reach(); }
constexpr int kBlockHeight = 128;
constexpr int kRowStep = 512;
static_assert(kRowStep >= 4 * kMaxOpeningReach + 128, "blocks of the widest octagon are wide enough");

struct Min {
  static constexpr std::uint8_t kNeutral = 255;
  std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return std::min(a, b); }
};
struct Max {
  static constexpr std::uint8_t kNeutral = 0;
  std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return std::max(a, b); }
};

/// The part of the block that passes still work on, from its first pixel. Each pass drops the border that it cannot
/// compute.
struct Extent {
  int width, height;
};

/// p(x, y) <- pick(p(x + ax, y + ay), p(x + bx, y + by)), in place, in raster order. The offsets are >= 0.
template <class Pick>
void pass(std::uint8_t* block, Extent& extent, int ax, int ay, int bx, int by) {
  extent = {extent.width - std::max(ax, bx), extent.height - std::max(ay, by)};
  for (int y = 0; y < extent.height; ++y) {
    std::uint8_t* to = block + y * kRowStep;
    const std::uint8_t* a = to + ay * kRowStep + ax;
    const std::uint8_t* b = to + by * kRowStep + bx;
#pragma GCC ivdep
    for (int x = 0; x < extent.width; ++x) to[x] = Pick{}(a[x], b[x]);
  }
}

template <class Pick>
void cross(std::uint8_t* block, Extent& extent) {
  extent = {extent.width - 2, extent.height - 2};
  for (int y = 0; y < extent.height; ++y) {
    std::uint8_t* to = block + y * kRowStep;
    const std::uint8_t* middle = to + kRowStep;
    const std::uint8_t* below = middle + kRowStep;
#pragma GCC ivdep
    for (int x = 0; x < extent.width; ++x)
      to[x] = Pick{}(Pick{}(Pick{}(to[x + 1], below[x + 1]), Pick{}(middle[x], middle[x + 2])), middle[x + 1]);
  }
}

/// Calls pass(step) with the steps by which a segment of one pixel grows to `length` pixels.
template <class Pass>
void grow_segment(int length, Pass pass) {
  for (int grown = 1, step; grown < length; grown += step) {
    step = std::min(grown, length - grown);
    pass(step);
  }
}

/// Erodes (Min) or dilates (Max) the block by the octagon. The result for block pixel (x, y) lands `reach` pixels
/// further left and up.
template <class Pick>
void erode_or_dilate(std::uint8_t* block, Extent& extent, Octagon shape) {
  const int side = 2 * shape.square + 1;
  grow_segment(side, [&](int step) { pass<Pick>(block, extent, 0, 0, step, 0); });
  grow_segment(side, [&](int step) { pass<Pick>(block, extent, 0, 0, 0, step); });
  if (shape.diamond == 0) return;
  grow_segment(shape.diamond, [&](int step) { pass<Pick>(block, extent, 0, 0, step, step); });
  grow_segment(shape.diamond, [&](int step) { pass<Pick>(block, extent, step, 0, 0, step); });
  cross<Pick>(block, extent);
}

/// Overwrites with `value` the block pixels that lie outside the image; block pixel (0, 0) is image pixel (x0, y0).
void fill_outside(std::uint8_t* block, Extent extent, int x0, int y0, View<std::uint8_t> image, std::uint8_t value) {
  const int left = std::clamp(-x0, 0, extent.width), right = std::clamp(image.width - x0, left, extent.width);
  for (int y = 0; y < extent.height; ++y) {
    std::uint8_t* row = block + y * kRowStep;
    if (y0 + y < 0 || y0 + y >= image.height) {
      std::fill_n(row, extent.width, value);
    } else {
      std::fill_n(row, left, value);
      std::fill_n(row + right, extent.width - right, value);
    }
  }
}

/// Opens the part of the image that begins at (x0, y0), at most kRowStep - 2 margins x kBlockHeight.
void open_block(std::uint8_t* block, View<std::uint8_t> inverted, Octagon shape, int x0, int y0,
                View<std::uint8_t> opened) {
  const int reach = shape.reach(), margin = margin_of(shape);
  const int width = std::min(kRowStep - 2 * margin, inverted.width - x0);
  const int height = std::min(kBlockHeight, inverted.height - y0);
  Extent extent{width + 2 * margin, height + 2 * margin};
  const int left = std::max(0, x0 - margin), right = std::min(inverted.width, x0 + width + margin);
  for (int y = std::max(0, y0 - margin); y < std::min(inverted.height, y0 + height + margin); ++y)
    std::copy(inverted.row(y) + left, inverted.row(y) + right,
              block + (y - y0 + margin) * kRowStep + left - x0 + margin);
  fill_outside(block, extent, x0 - margin, y0 - margin, inverted, Min::kNeutral);
  erode_or_dilate<Min>(block, extent, shape);
  fill_outside(block, extent, x0 - reach, y0 - reach, inverted, Max::kNeutral);
  erode_or_dilate<Max>(block, extent, shape);
  for (int y = 0; y < height; ++y) std::copy_n(block + y * kRowStep, width, opened.row(y0 + y) + x0);
}

}  // namespace

void morph_open(const KernelContext& context, RgbView rgb, int reach, View<std::uint8_t> inverted,
                View<std::uint8_t> opened) {
  const Scratch::Mark mark(context.scratch);
  const Octagon shape = octagon_of(reach);
  const int margin = margin_of(shape);
  const auto block =
      context.scratch.take<std::uint8_t>(static_cast<std::size_t>(kRowStep * (kBlockHeight + 2 * margin)));
  for (int y = 0; y < rgb.height; ++y) {
    const Rgb* from = rgb.row(y);
    std::uint8_t* to = inverted.row(y);
    for (int x = 0; x < rgb.width; ++x) to[x] = static_cast<std::uint8_t>(255 - from[x].r);
  }
  for (int y = 0; y < rgb.height; y += kBlockHeight)
    for (int x = 0; x < rgb.width; x += kRowStep - 2 * margin) open_block(block.data(), inverted, shape, x, y, opened);
}

}  // namespace starpath::cpu
