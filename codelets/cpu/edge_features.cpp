// Edges of each wanted object.
#include <algorithm>
#include <cstring>

#include "codelets/cpu/feature_filters.hpp"
#include "codelets/cpu/region_histograms.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::cpu {
namespace {

constexpr auto kWeak = static_cast<std::uint8_t>(CannyClass::weak);
constexpr auto kStrong = static_cast<std::uint8_t>(CannyClass::strong);

/// Position of every weak pixel among `count` classes, calls visit(index) for each.
template <class Visit>
void for_each_weak(const std::uint8_t* classes, std::ptrdiff_t begin, std::ptrdiff_t end, Visit visit) {
  constexpr std::ptrdiff_t step = 8;
  for (std::ptrdiff_t i = begin; i < end; i += step) {
    if ((eight_from(classes + i) & 0x0101010101010101U) == 0) continue;
    for (std::ptrdiff_t k = i; k < std::min(end, i + step); ++k)
      if (classes[k] == kWeak) visit(k);
  }
}

void clear_outside(const std::uint8_t* __restrict regions, std::ptrdiff_t count, std::uint8_t* __restrict classes) {
  for (std::ptrdiff_t i = 0; i < count; ++i)
    classes[i] = static_cast<std::uint8_t>(classes[i] & (regions[i] == 0 ? 0 : 255));
}

/// Turns the weak pixels that hang on a strong one into strong ones. Few pixels are weak: the work starts from those.
void hysteresis(const PatchRegions& patch, std::uint8_t* classes, std::int32_t* stack) {
  const PatchFrame& f = patch.frame;
  const std::ptrdiff_t s = f.width;
  const std::ptrdiff_t around[8] = {-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1};
  const std::ptrdiff_t begin = f.begin(kFilterReach), end = f.end(kFilterReach);
  clear_outside(patch.bytes + begin, end - begin, classes + begin);
  std::memset(classes + begin - s - 1, 0, static_cast<std::size_t>(s + 1));
  std::memset(classes + end, 0, static_cast<std::size_t>(s + 1));
  for_each_weak(classes, begin, end, [&](std::ptrdiff_t weak_pixel) {
    if (std::none_of(around, around + 8, [&](std::ptrdiff_t d) { return classes[weak_pixel + d] == kStrong; })) return;
    classes[weak_pixel] = kStrong;
    std::size_t depth = 0;
    stack[depth++] = static_cast<std::int32_t>(weak_pixel);
    while (depth != 0) {
      const std::ptrdiff_t i = stack[--depth];
      for (const std::ptrdiff_t d : around) {
        if (classes[i + d] != kWeak) continue;
        classes[i + d] = kStrong;
        stack[depth++] = static_cast<std::int32_t>(i + d);
      }
    }
  });
}

/// Number of pixels of a region where plane == value.
std::uint32_t count_where(const PatchRegions& patch, std::size_t region, const std::uint8_t* plane,
                          std::uint8_t value) {
  const PatchFrame& f = patch.frame;
  const std::ptrdiff_t begin = f.begin(kFilterReach);
  const std::uint8_t* const regions = patch.bytes + begin;
  const auto wanted = static_cast<std::uint8_t>(region + 1);
  return static_cast<std::uint32_t>(
      count_true(f.end(kFilterReach) - begin, [regions, wanted, values = plane + begin, value](std::ptrdiff_t i) {
        return (regions[i] == wanted) & (values[i] == value);
      }));
}

}  // namespace

void edge_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                   std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                   std::span<const MaskPlace> places, std::span<const std::uint64_t> masks, View<double> table) {
  const Scratch::Mark mark(context.scratch);
  const WantedObjects objects(labels, boxes, wanted, places, masks);
  if (objects.largest == 0) return;
  EdgePlanes planes(context.scratch, objects.largest);
  std::int32_t* const stack = context.scratch.take<std::int32_t>(objects.largest).data();
  for_each_patch(
      context.scratch, channels, objects,
      [&](const PatchRegions& regions, const PatchChannels& patch, std::int32_t label) {
        for (std::size_t c = 0; c < kStainChannels; ++c) {
          find_edges(regions.frame, patch.planes[c], planes);
          hysteresis(regions, planes.canny, stack);
          for (std::size_t region = 0; region < kRegionCount; ++region)
            write_edges(
                {count_where(regions, region, planes.canny, kStrong), count_where(regions, region, planes.sobel, 1)},
                regions.pixels(region), table.row(label - 1) + channel_column(FeatureFamily::edges, region, c));
        }
      });
}

}  // namespace starpath::cpu
