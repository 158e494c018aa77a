// Operation 7: components that hold a seed.
#include "codelets/cuda/cross.hpp"
#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/select.hpp"

namespace starpath::cuda {

void select(const KernelContext& context, GrayView difference, MaskView seeds, MaskView rbc, int nucleus_level,
            View<std::uint8_t> selected) {
  const Scratch::Mark mark(context.scratch);
  const int width = difference.width, height = difference.height;
  const View<std::uint8_t> kept = take_image<std::uint8_t>(context, difference);
  {
    const Scratch::Mark inner(context.scratch);
    std::int32_t* const roots = take_image<std::int32_t>(context, difference).data;
    find_components(context, width, height, Connectivity::eight, BrightPixels{difference, nucleus_level}, roots);
    const std::uint8_t* const seeded = flag_marked(context, seeds, roots);
    for_pixels(context, "keep seeded", width, height, [=] __device__(int x, int y) {
      const std::int32_t root = roots[y * width + x];
      kept.at(x, y) = root >= 0 && seeded[root] != 0 && rbc.at(x, y) == 0 ? 255 : 0;
    });
  }
  fill_holes4(context, kept, kept);
  const View<std::uint8_t> eroded = take_image<std::uint8_t>(context, difference);
  erode_cross(context, kept, eroded);
  dilate_cross(context, eroded, selected);
}

}  // namespace starpath::cuda
