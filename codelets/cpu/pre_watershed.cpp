// The relief for the watershed, object by object.
#include "codelets/kernels/pre_watershed.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "codelets/cpu/cross.hpp"
#include "codelets/cpu/lowered_relief.hpp"
#include "codelets/cpu/object_depths.hpp"

namespace starpath::cpu {
namespace {

void dilate_cross(MaskView in, View<std::uint8_t> out) {
  for (int y = 0; y < in.height; ++y)
    filter_cross_row(in.row(std::max(0, y - 1)), in.row(y), in.row(std::min(in.height - 1, y + 1)), in.width,
                     out.row(y), either);
}

/// objects = the large objects of `selected`, grown.
void choose_objects(const KernelContext& context, MaskView selected, int min_area, int grow,
                    View<std::uint8_t> objects) {
  const Scratch::Mark mark(context.scratch);
  constexpr auto any_size = std::numeric_limits<std::int32_t>::max();
  const auto pixels = static_cast<std::size_t>(selected.pixels());
  View<std::uint8_t> from{grow == 0 ? nullptr : context.scratch.take<std::uint8_t>(pixels).data(), selected.width,
                          selected.height, selected.width};
  View<std::uint8_t> to = objects;
  if (grow % 2 == 0) std::swap(from, to);
  area_filter(context, selected, Connectivity::eight, min_area, any_size, from);
  for (int i = 0; i < grow; ++i) {
    dilate_cross(from, to);
    std::swap(from, to);
  }
}

}  // namespace

void pre_watershed(const KernelContext& context, MaskView selected, int min_area, int grow, int smooth, int h,
                   View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const Scratch::Mark mark(context.scratch);
  choose_objects(context, selected, min_area, grow, objects);
  const auto all = group_objects(context.scratch, find_components(context.scratch, objects, Connectivity::eight));
  Catchments catchments(context.scratch, largest_catchments(all));
  ObjectDepths depths(context, selected.width, selected.height);
  for (int y = 0; y < depth.height; ++y) std::fill_n(depth.row(y), depth.width, std::uint16_t{0});
  for (const Object& object : all) {
    catchments.begin(object);
    depths.measure(object, catchments);
    for (int i = 0; i < smooth; ++i) depths.smooth(object, catchments);
    catchments.climb();
    lower_roots(
        context.scratch, object, [h](std::int32_t value) { return std::max(value - h, 0); }, catchments);
    store_lowered(object, catchments, depth);
  }
}

}  // namespace starpath::cpu
