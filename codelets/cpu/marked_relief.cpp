// The relief of the learned detector, object by object.
#include "codelets/kernels/marked_relief.hpp"

#include <algorithm>
#include <limits>

#include "codelets/cpu/lowered_relief.hpp"
#include "codelets/kernels/fill_holes.hpp"

namespace starpath::cpu {
namespace {

void load(const Object& object, GrayView nucleus, GrayView core, MaskView markers, Catchments& catchments) {
  catchments.begin(object);
  for (const Segment& segment : object.segments) {
    const std::uint8_t *in_nucleus = nucleus.row(segment.y) + segment.x0, *in_core = core.row(segment.y) + segment.x0,
                       *marker = markers.row(segment.y) + segment.x0;
    std::int32_t* const out = catchments.values() + catchments.index_of(segment);
    for (std::int32_t i = 0; i < segment.length(); ++i)
      out[i] = marker[i] != 0 ? kMarkerDepth : scored_depth(in_nucleus[i], in_core[i]);
  }
}

/// objects = the wanted objects; markers as they are defined.
void find_objects(const KernelContext& context, GrayView nucleus, GrayView core, int nucleus_level, int core_level,
                  int core_min_area, int hole_max_area, View<std::uint8_t> markers, View<std::uint8_t> objects) {
  for (int y = 0; y < core.height; ++y)
    for (int x = 0; x < core.width; ++x) markers.at(x, y) = core.at(x, y) >= core_level ? 255 : 0;
  area_filter(context, markers, Connectivity::eight, core_min_area, std::numeric_limits<std::int32_t>::max(), markers);
  for (int y = 0; y < core.height; ++y)
    for (int x = 0; x < core.width; ++x) objects.at(x, y) = nucleus.at(x, y) >= nucleus_level ? 255 : markers.at(x, y);
  fill_small_holes4(context, objects, hole_max_area, objects);
  const Scratch::Mark mark(context.scratch);
  keep_marked(context.scratch, find_components(context.scratch, objects, Connectivity::eight), markers, objects);
}

}  // namespace

void marked_relief(const KernelContext& context, GrayView nucleus, GrayView core, int nucleus_level, int core_level,
                   int core_min_area, int hole_max_area, View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> markers{context.scratch.take<std::uint8_t>(static_cast<std::size_t>(core.pixels())).data(),
                                   core.width, core.height, core.width};
  find_objects(context, nucleus, core, nucleus_level, core_level, core_min_area, hole_max_area, markers, objects);
  const auto all = group_objects(context.scratch, find_components(context.scratch, objects, Connectivity::eight));
  Catchments catchments(context.scratch, largest_catchments(all));
  for (int y = 0; y < depth.height; ++y) std::fill_n(depth.row(y), depth.width, std::uint16_t{0});
  for (const Object& object : all) {
    load(object, nucleus, core, markers, catchments);
    catchments.climb();
    lower_roots(
        context.scratch, object, [](std::int32_t value) { return value == kMarkerDepth ? value : 0; }, catchments);
    store_lowered(object, catchments, depth);
  }
}

}  // namespace starpath::cpu
