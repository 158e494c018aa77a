// Operation 5: components of 0 that do not touch the border are holes.
#include <limits>

#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/fill_holes.hpp"

namespace starpath::cuda {

void fill_small_holes4(const KernelContext& context, MaskView mask, int max_area, View<std::uint8_t> filled) {
  const Scratch::Mark mark(context.scratch);
  const int width = mask.width, height = mask.height;
  std::int32_t* const roots = take_image<std::int32_t>(context, mask).data;
  find_components(context, width, height, Connectivity::four, ClearPixels{mask}, roots);
  std::uint8_t* const outside = take_zeros<std::uint8_t>(context, mask);
  for_items(context, "mark outside", 2 * (std::int64_t{width} + height), [=] __device__(std::int64_t i) {
    const int k = static_cast<int>(i / 2);
    const bool other = i % 2 != 0;  // side
    const int x = k < width ? k : other ? width - 1 : 0, y = k >= width ? k - width : other ? height - 1 : 0;
    const std::int32_t root = roots[y * width + x];
    if (root >= 0) outside[root] = 1;
  });
  const bool any_area = max_area == std::numeric_limits<int>::max();
  const std::int32_t* const areas = any_area ? nullptr : component_areas(context, width, height, roots);
  for_pixels(context, "fill_holes", width, height, [=] __device__(int x, int y) {
    const std::int32_t root = roots[y * width + x];
    const bool keep = root >= 0 && (outside[root] != 0 || (!any_area && areas[root] >= max_area));
    filled.at(x, y) = keep ? 0 : 255;
  });
}

void fill_holes4(const KernelContext& context, MaskView mask, View<std::uint8_t> filled) {
  fill_small_holes4(context, mask, std::numeric_limits<int>::max(), filled);
}

void fill_holes(const KernelContext& context, GrayView difference, int seed_level, View<std::uint8_t> filled) {
  for_pixels(context, "bright", difference.width, difference.height,
             [=] __device__(int x, int y) { filled.at(x, y) = difference.at(x, y) > seed_level ? 255 : 0; });
  fill_holes4(context, filled, filled);
}

}  // namespace starpath::cuda
