// Operation 8: the relief, step by step as it is defined.
#include <limits>

#include "codelets/cuda/cross.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {

void pre_watershed(const KernelContext& context, MaskView selected, int min_area, int h, View<std::uint8_t> objects,
                   View<std::uint16_t> depth) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> large = take_image<std::uint8_t>(context, selected);
  const View<std::int32_t> squared = take_image<std::int32_t>(context, selected);
  const View<std::uint16_t> distance = take_image<std::uint16_t>(context, selected);
  area_filter(context, selected, Connectivity::eight, min_area, std::numeric_limits<std::int32_t>::max(), large);
  dilate_cross(context, large, objects);
  squared_distance(context, objects, squared);
  for_pixels(context, "depths", selected.width, selected.height, [=] __device__(int x, int y) {
    const std::int32_t d = depth_of_squared(squared.at(x, y));
    distance.at(x, y) = static_cast<std::uint16_t>(d);
    depth.at(x, y) = static_cast<std::uint16_t>(d > h ? d - h : 0);
  });
  reconstruct_u16(context, depth, distance, Connectivity::eight, depth);
}

}  // namespace starpath::cuda
