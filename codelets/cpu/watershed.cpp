// Watershed, object by object: Kruskal's algorithm on catchments.
#include "codelets/kernels/watershed.hpp"

#include <cstring>
#include <limits>

#include "codelets/cpu/catchments.hpp"

namespace starpath::cpu {
namespace {

void load(const Object& object, View<const std::uint16_t> depth, Catchments& catchments) {
  catchments.begin(object);
  for (const Segment& segment : object.segments) {
    const std::uint16_t* from = depth.row(segment.y) + segment.x0;
    std::copy_n(from, segment.length(), catchments.values() + catchments.index_of(segment));
  }
}

/// Joins catchments to basins. Those whose first roots are deeper than the crossing hold
/// a marker each: a plateau that is no regional maximum was joined to a deeper pixel before its own level was finished.
void join_basins(Catchments& catchments) {
  catchments.join(
      [&](std::int32_t, std::int32_t b, std::int32_t p) { return catchments.value(b) <= catchments.value(p); });
}

/// Clears the pixels that have a neighbour in a basin with a smaller number. The order of the basins' first roots is
/// that of their markers' first pixels, which are the same. Overwrites the values with basins.
void separate(const Object& object, Catchments& catchments, View<std::uint8_t> nuclei) {
  const std::int32_t stride = catchments.stride();
  std::int32_t* const basin = catchments.values();
  std::fill_n(basin, catchments.size(), std::numeric_limits<std::int32_t>::max());
  for (const Segment& segment : object.segments) {
    const std::int32_t begin = catchments.index_of(segment), end = begin + segment.length();
    for (std::int32_t p = begin; p < end; ++p) basin[p] = catchments.first_root(catchments.root(p));
  }
  for (const Segment& segment : object.segments) {
    const std::int32_t* const here = basin + catchments.index_of(segment);
    std::uint8_t* const out = nuclei.row(segment.y) + segment.x0;
    for (std::int32_t i = 0; i < segment.length(); ++i) {
      std::int32_t least = here[i];
      for (const std::int32_t row : {-stride, 0, stride})
        for (std::int32_t dx = -1; dx <= 1; ++dx) least = std::min(least, here[i + row + dx]);
      out[i] = least < here[i] ? 0 : 255;
    }
  }
}

}  // namespace

void watershed(const KernelContext& context, MaskView objects, View<const std::uint16_t> depth,
               View<std::uint8_t> nuclei) {
  const Scratch::Mark mark(context.scratch);
  const Components components = find_components(context.scratch, objects, Connectivity::eight);
  write_runs(components.rows, nuclei, [](std::int32_t) { return true; });
  const auto all = group_objects(context.scratch, components);
  Catchments catchments(context.scratch, largest_catchments(all));
  for (const Object& object : all) {
    load(object, depth, catchments);
    catchments.climb();
    join_basins(catchments);
    if (catchments.groups() > 1) separate(object, catchments, nuclei);
  }
}

}  // namespace starpath::cpu
