// Operation 3 in blocks that stay in cache. The octagon is the Minkowski sum of short segments, so that its erosion is
// a chain of passes that each take the minimum of two shifted rows:
//   11x11 square (|dx|, |dy| <= 5)  +  diagonal of 4  +  antidiagonal of 4  +  3x3 cross  =  the octagon,
// where diagonal, antidiagonal and cross together are the diamond |dx| + |dy| <= 4. Each segment grows by doubling.
#include "codelets/kernels/morph_open.hpp"

#include <algorithm>

namespace starpath::cpu {
namespace {

/// Pixels that a block needs around its result: once for the erosion, once more for the dilation.
constexpr int kReach = kOctagonReach;
constexpr int kMargin = 2 * kReach;
constexpr int kBlockWidth = 512 - 2 * kMargin;
constexpr int kBlockHeight = 128;
constexpr int kRowStep = 512;
static_assert(kReach == 9 && kOctagonCorner == 14, "the segments below sum up to this octagon only");

struct Min {
  static constexpr std::uint8_t kNeutral = 255;
  std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return std::min(a, b); }
};
struct Max {
  static constexpr std::uint8_t kNeutral = 0;
  std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return std::max(a, b); }
};

/// The part of the block that passes still work on, from its first pixel; each pass drops what it can no longer know.
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

/// Erodes (Min) or dilates (Max) the block by the octagon. The result for block pixel (x, y) lands on (x - 9, y - 9).
template <class Pick>
void octagon(std::uint8_t* block, Extent& extent) {
  for (const int step : {1, 2, 4, 3}) pass<Pick>(block, extent, 0, 0, step, 0);
  for (const int step : {1, 2, 4, 3}) pass<Pick>(block, extent, 0, 0, 0, step);
  for (const int step : {1, 2}) pass<Pick>(block, extent, 0, 0, step, step);
  for (const int step : {1, 2}) pass<Pick>(block, extent, step, 0, 0, step);
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

/// Opens the part of the image that begins at (x0, y0), at most kBlockWidth x block_height.
void open_block(std::uint8_t* block, View<std::uint8_t> inverted, int x0, int y0, View<std::uint8_t> opened) {
  const int width = std::min(kBlockWidth, inverted.width - x0), height = std::min(kBlockHeight, inverted.height - y0);
  Extent extent{width + 2 * kMargin, height + 2 * kMargin};
  const int left = std::max(0, x0 - kMargin), right = std::min(inverted.width, x0 + width + kMargin);
  for (int y = std::max(0, y0 - kMargin); y < std::min(inverted.height, y0 + height + kMargin); ++y)
    std::copy(inverted.row(y) + left, inverted.row(y) + right,
              block + (y - y0 + kMargin) * kRowStep + left - x0 + kMargin);
  fill_outside(block, extent, x0 - kMargin, y0 - kMargin, inverted, Min::kNeutral);
  octagon<Min>(block, extent);
  fill_outside(block, extent, x0 - kReach, y0 - kReach, inverted, Max::kNeutral);
  octagon<Max>(block, extent);
  for (int y = 0; y < height; ++y) std::copy_n(block + y * kRowStep, width, opened.row(y0 + y) + x0);
}

}  // namespace

void morph_open(const KernelContext& context, RgbView rgb, View<std::uint8_t> inverted, View<std::uint8_t> opened) {
  const Scratch::Mark mark(context.scratch);
  const auto block = context.scratch.take<std::uint8_t>(kRowStep * (kBlockHeight + 2 * kMargin));
  for (int y = 0; y < rgb.height; ++y) {
    const Rgb* from = rgb.row(y);
    std::uint8_t* to = inverted.row(y);
    for (int x = 0; x < rgb.width; ++x) to[x] = static_cast<std::uint8_t>(255 - from[x].r);
  }
  for (int y = 0; y < rgb.height; y += kBlockHeight)
    for (int x = 0; x < rgb.width; x += kBlockWidth) open_block(block.data(), inverted, x, y, opened);
}

}  // namespace starpath::cpu
