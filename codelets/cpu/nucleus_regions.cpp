// The masks of nuclei and rings, found as the features' kernels find those of objects without masks.
#include "codelets/kernels/nucleus_regions.hpp"

#include "codelets/cpu/feature_patch.hpp"

namespace starpath::cpu {

void nucleus_regions(const KernelContext& context, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                     std::span<const MaskPlace> places, std::span<std::uint64_t> masks) {
  const Scratch::Mark mark(context.scratch);
  const std::span wanted = context.scratch.take<std::uint8_t>(boxes.size());
  std::ranges::transform(places, wanted.begin(),
                         [](MaskPlace place) { return static_cast<std::uint8_t>(place != kNoMasks); });
  const WantedObjects objects(labels, boxes, wanted, places, masks);
  if (objects.largest == 0) return;
  PatchRegions regions(context.scratch, objects);
  objects.for_each([&](const ObjectBox& box, std::int32_t label) {
    regions.find(labels, box, label);
    const int words = regions.frame.words(), inside = words * (regions.frame.height - 2 * kFilterReach);
    std::uint64_t* to = masks.data() + places[static_cast<std::size_t>(label - 1)];
    for (const std::uint64_t* from : {regions.nucleus, regions.ring})
      to = std::copy_n(from + std::ptrdiff_t{words} * kFilterReach, inside, to);
  });
}

}  // namespace starpath::cpu
