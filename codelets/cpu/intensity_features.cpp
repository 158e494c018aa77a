// Statistics of the values of each wanted object.
#include "codelets/cpu/region_histograms.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::cpu {

void intensity_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                        std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                        std::span<const MaskPlace> places, std::span<const std::uint64_t> masks, View<double> table) {
  const Scratch::Mark mark(context.scratch);
  const WantedObjects objects(labels, boxes, wanted, places, masks);
  if (objects.largest == 0) return;
  auto& counts = context.scratch.take<RegionHistograms>(1)[0];
  for_each_patch(context.scratch, channels, objects,
                 [&](const PatchRegions& regions, const PatchChannels& patch, std::int32_t label) {
                   count_values(regions, patch.planes, counts);
                   for (std::size_t region = 0; region < kRegionCount; ++region)
                     for (std::size_t c = 0; c < kStainChannels; ++c)
                       write_intensity(histogram_statistics(counts[c][region + 1]),
                                       table.row(label - 1) + channel_column(FeatureFamily::intensity, region, c));
                 });
}

}  // namespace starpath::cpu
