// Oracle of the masks, bit by bit.
#include "codelets/reference/neighbourhood.hpp"

namespace starpath::reference {

void nucleus_regions(const KernelContext&, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                     std::span<const MaskPlace> places, std::span<std::uint64_t> masks) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (places[i] == kNoMasks) continue;
    const RingBox around(boxes[i], labels.width, labels.height);
    const Neighbourhood n = neighbourhood_of(labels, boxes[i], static_cast<std::int32_t>(i + 1));
    const auto mask_of = [&](Region region) {
      const std::int64_t skipped = region == Region::ring ? around.words_a_mask() : 0;
      return masks.subspan(static_cast<std::size_t>(places[i] + skipped),
                           static_cast<std::size_t>(around.words_a_mask()));
    };
    for (const Region region : {Region::nucleus, Region::ring}) {
      const std::span<std::uint64_t> mask = mask_of(region);
      std::fill(mask.begin(), mask.end(), 0);
      for (int y = 0; y < around.height(); ++y)
        for (int x = 0; x < around.width(); ++x)
          if (n.at(around.x0 + x, around.y0 + y) == region)
            mask[static_cast<std::size_t>(around.words_a_row() * y + (x + kFilterReach) / 64)] |=
                std::uint64_t{1} << (x + kFilterReach) % 64;
    }
  }
}

}  // namespace starpath::reference
