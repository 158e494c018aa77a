// Operation 2: finds components above the low ratio and keeps those that hold a pixel above the high one.
#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/rbc.hpp"

namespace starpath::cuda {
namespace {

__device__ constexpr StainAmountTable kAmounts = kStainAmountTable;

struct Reddish {
  RgbView rgb;
  int low;
  STARPATH_HD int operator()(int x, int y) const { return redder_than(rgb.at(x, y), low) ? 0 : -1; }
};

}  // namespace

void rbc(const KernelContext& context, RgbView rgb, int high, int low, int haematoxylin, View<std::uint8_t> mask) {
  const Scratch::Mark mark(context.scratch);
  std::int32_t* const roots = take_image<std::int32_t>(context, rgb).data;
  find_components(context, rgb.width, rgb.height, Connectivity::eight, Reddish{rgb, low}, roots);
  std::uint8_t* const holds_high = take_zeros<std::uint8_t>(context, rgb);
  for_pixels(context, "mark cells", rgb.width, rgb.height, [=] __device__(int x, int y) {
    if (redder_than(rgb.at(x, y), high)) holds_high[roots[y * rgb.width + x]] = 1;
  });
  for_pixels(context, "rbc", rgb.width, rgb.height, [=] __device__(int x, int y) {
    const Rgb p = rgb.at(x, y);
    const std::int32_t root = roots[y * rgb.width + x];
    const bool red_cell = root >= 0 && holds_high[root] != 0 && p.r > p.b;
    mask.at(x, y) = red_cell || is_unstained(p, haematoxylin, kAmounts) ? 255 : 0;
  });
}

}  // namespace starpath::cuda
