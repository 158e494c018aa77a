// Operation 7: components that hold a seed.
#include "codelets/cuda/cross.hpp"
#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"
#include "codelets/kernels/select.hpp"

namespace starpath::cuda {

void select(const KernelContext& context, GrayView difference, MaskView seeds, MaskView rbc, int nucleus_level,
            int local_reach, int local_weight, int hole_max_area, View<std::uint8_t> selected) {
  const Scratch::Mark mark(context.scratch);
  const int width = difference.width, height = difference.height;
  const View<std::uint8_t> kept = take_image<std::uint8_t>(context, difference);
  {
    const Scratch::Mark inner(context.scratch);
    std::int32_t* const roots = take_image<std::int32_t>(context, difference).data;
    nucleus_pixels(context, difference, nucleus_level, local_reach, local_weight, kept);
    find_components(context, width, height, Connectivity::eight, SetPixels{kept}, roots);
    const std::uint8_t* const seeded = flag_marked(context, seeds, roots);
    for_pixels(context, "keep seeded", width, height, [=] __device__(int x, int y) {
      const std::int32_t root = roots[y * width + x];
      kept.at(x, y) = root >= 0 && seeded[root] != 0 && rbc.at(x, y) == 0 ? 255 : 0;
    });
  }
  fill_small_holes4(context, kept, hole_max_area, kept);
  const View<std::uint8_t> eroded = take_image<std::uint8_t>(context, difference);
  erode_cross(context, kept, eroded);
  dilate_cross(context, eroded, selected);
}

}  // namespace starpath::cuda
