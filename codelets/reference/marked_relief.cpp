// The relief of the learned detector, step by step as it is defined.
#include "codelets/kernels/marked_relief.hpp"

#include <limits>
#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::reference {

void marked_relief(const KernelContext& context, GrayView nucleus, GrayView core, int nucleus_level, int core_level,
                   int core_min_area, int hole_max_area, View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const int width = nucleus.width, height = nucleus.height;
  const auto size = static_cast<std::size_t>(nucleus.pixels());
  std::vector<std::uint8_t> marker_pixels(size), mask_pixels(size);
  std::vector<std::uint16_t> peak_pixels(size), relief_pixels(size);
  const View<std::uint8_t> markers{marker_pixels.data(), width, height, width};
  const View<std::uint8_t> mask{mask_pixels.data(), width, height, width};
  const View<std::uint16_t> peaks{peak_pixels.data(), width, height, width};
  const View<std::uint16_t> relief{relief_pixels.data(), width, height, width};

  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) markers.at(x, y) = core.at(x, y) >= core_level ? 255 : 0;
  area_filter(context, markers, Connectivity::eight, core_min_area, std::numeric_limits<std::int32_t>::max(), markers);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      mask.at(x, y) = nucleus.at(x, y) >= nucleus_level || markers.at(x, y) != 0 ? 255 : 0;
  fill_small_holes4(context, mask, hole_max_area, mask);
  reconstruct_binary(context, markers, mask, Connectivity::eight, objects);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool marker = markers.at(x, y) != 0;
      peaks.at(x, y) = marker ? kMarkerDepth : 0;
      relief.at(x, y) =
          static_cast<std::uint16_t>(marker                  ? kMarkerDepth
                                     : objects.at(x, y) == 0 ? 0
                                                             : scored_depth(nucleus.at(x, y), core.at(x, y)));
    }
  reconstruct_u16(context, peaks, relief, Connectivity::eight, depth);
}

}  // namespace starpath::reference
