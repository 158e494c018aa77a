// The relief of the learned detector, step by step as it is defined.
#include <limits>

#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/marked_relief.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {

void marked_relief(const KernelContext& context, GrayView nucleus, GrayView core, int nucleus_level, int core_level,
                   int core_min_area, int hole_max_area, View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const Scratch::Mark mark(context.scratch);
  const int width = nucleus.width, height = nucleus.height;
  const View<std::uint8_t> markers = take_image<std::uint8_t>(context, nucleus);
  const View<std::uint16_t> relief = take_image<std::uint16_t>(context, nucleus);
  for_pixels(context, "markers", width, height,
             [=] __device__(int x, int y) { markers.at(x, y) = core.at(x, y) >= core_level ? 255 : 0; });
  area_filter(context, markers, Connectivity::eight, core_min_area, std::numeric_limits<std::int32_t>::max(), markers);
  for_pixels(context, "nucleus pixels", width, height, [=] __device__(int x, int y) {
    objects.at(x, y) = nucleus.at(x, y) >= nucleus_level || markers.at(x, y) != 0 ? 255 : 0;
  });
  fill_small_holes4(context, objects, hole_max_area, objects);
  for_pixels(context, "marked relief", width, height, [=] __device__(int x, int y) {
    const bool marker = markers.at(x, y) != 0;
    const int scored = objects.at(x, y) != 0 ? scored_depth(nucleus.at(x, y), core.at(x, y)) : 0;
    relief.at(x, y) = static_cast<std::uint16_t>(marker ? kMarkerDepth : scored);
    depth.at(x, y) = marker ? kMarkerDepth : 0;
  });
  reconstruct_u16(context, depth, relief, Connectivity::eight, depth);
  // What holds no marker has no depth.
  for_pixels(context, "marked objects", width, height,
             [=] __device__(int x, int y) { objects.at(x, y) = depth.at(x, y) != 0 ? 255 : 0; });
}

}  // namespace starpath::cuda
