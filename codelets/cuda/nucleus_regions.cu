// The masks of nuclei and rings, a block an object.
#include "codelets/cuda/object_patch.hpp"

namespace starpath::cuda {
namespace {

struct MaskFamily {
  struct Sums {
    std::uint32_t nothing;
  };
  const MaskPlace* places;
  std::uint64_t* masks;

  /// A thread a word of both masks.
  __device__ void add(const Objects& objects, const Patch& patch, Sums&) const {
    const MaskPlace place = places[patch.label - 1];
    const RingBox around(objects.boxes[patch.label - 1], objects.labels.width, objects.labels.height);
    const int words = around.words_a_row(), all = words * patch.height;
    for (int i = static_cast<int>(threadIdx.x); i < 2 * all; i += kObjectThreads) {
      const int region = i < all ? static_cast<int>(Region::nucleus) : static_cast<int>(Region::ring);
      const int y = i % all / words, first = i % words * 64 - kFilterReach;
      std::uint64_t bits = 0;
      for (int k = 0; k < 64; ++k)
        if (patch.region(first + k, y) == region) bits |= std::uint64_t{1} << k;
      masks[place + i] = bits;
    }
  }

  __device__ void write(const Sums&, RowWork&, int, double*) const {}
};

}  // namespace

void nucleus_regions(const KernelContext& context, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                     std::span<const MaskPlace> places, std::span<std::uint64_t> masks) {
  if (boxes.empty()) return;
  const Scratch::Mark mark(context.scratch);
  const std::span wanted = context.scratch.take<std::uint8_t>(boxes.size());
  const MaskPlace* const from = places.data();
  std::uint8_t* const to = wanted.data();
  for_items(context, "nucleus_regions", std::ssize(boxes),
            [=] __device__(std::int64_t i) { to[i] = from[i] == kNoMasks ? 0 : 1; });
  measure_objects(context, "nucleus_regions", labels, boxes, wanted, {}, MaskFamily{places.data(), masks.data()});
}

}  // namespace starpath::cuda
