// Operation 8: the relief, step by step as it is defined.
#include <limits>
#include <utility>

#include "codelets/cuda/cross.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cuda {
namespace {

/// The mean of the 3x3 pixels around, in the objects.
void smooth_depths(const KernelContext& context, MaskView objects, View<const std::uint16_t> depth,
                   View<std::uint16_t> out) {
  for_pixels(context, "smooth depths", out.width, out.height, [=] __device__(int x, int y) {
    int sum = 0, pixels = 0;
    for (int v = y - 1; v <= y + 1; ++v)
      for (int u = x - 1; u <= x + 1; ++u)
        if (depth.contains(u, v)) sum += depth.at(u, v), ++pixels;
    out.at(x, y) = objects.at(x, y) != 0 ? static_cast<std::uint16_t>(sum / pixels) : std::uint16_t{0};
  });
}

}  // namespace

void pre_watershed(const KernelContext& context, MaskView selected, int min_area, int grow, int smooth, int h,
                   View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> large = take_image<std::uint8_t>(context, selected);
  const View<std::int32_t> squared = take_image<std::int32_t>(context, selected);
  const View<std::uint16_t> other = take_image<std::uint16_t>(context, selected);
  const int width = selected.width, height = selected.height;
  View<std::uint8_t> from = large, to = objects;
  if (grow % 2 == 0) std::swap(from, to);
  area_filter(context, selected, Connectivity::eight, min_area, std::numeric_limits<std::int32_t>::max(), from);
  for (int i = 0; i < grow; ++i) {
    dilate_cross(context, from, to);
    std::swap(from, to);
  }
  squared_distance(context, objects, squared);
  View<std::uint16_t> rough = depth, distance = other;
  if (smooth % 2 == 0) std::swap(rough, distance);
  for_pixels(context, "depths", width, height, [=] __device__(int x, int y) {
    rough.at(x, y) = static_cast<std::uint16_t>(depth_of_squared(squared.at(x, y)));
  });
  for (int i = 0; i < smooth; ++i) {
    smooth_depths(context, objects, rough, distance);
    std::swap(rough, distance);
  }
  for_pixels(context, "lowered depths", width, height, [=] __device__(int x, int y) {
    const int d = other.at(x, y);
    depth.at(x, y) = static_cast<std::uint16_t>(d > h ? d - h : 0);
  });
  reconstruct_u16(context, depth, other, Connectivity::eight, depth);
}

}  // namespace starpath::cuda
