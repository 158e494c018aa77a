// Co-occurrences of neighbouring levels of each wanted object.
#include "codelets/cpu/region_histograms.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::cpu {
namespace {

constexpr int kAngles = 4;

/// Planes of one patch. `bases` say where the pair of each pixel with its partner at an angle is counted: 0 or 64 when
/// both lie in the nucleus or both in the ring, else 128. `codes` add the levels of one channel.
struct PairPlanes {
  std::array<std::uint8_t*, kAngles> bases, codes;

  PairPlanes(Scratch& scratch, const WantedObjects& objects) {
    for (auto* planes : {&bases, &codes})
      for (auto& plane : *planes) plane = take_plane<std::uint8_t>(scratch, objects.largest);
  }
};

/// Of one channel: nucleus, ring and the rest. Pairs outside the regions are counted too: adding them is cheaper than a
/// branch. One table an angle keeps the additions independent of each other.
using PairCounts = std::array<std::array<std::uint32_t, 192>, kAngles>;

/// Offsets of the partners of a pixel in the co-occurrence matrix: right, lower right, below, lower left.
std::ptrdiff_t pair_offset(const PatchFrame& frame, std::size_t angle) {
  const std::ptrdiff_t offsets[kAngles] = {1, frame.width + 1, frame.width, frame.width - 1};
  return offsets[angle];
}

void fill_bases(const PatchRegions& patch, const PairPlanes& pairs) {
  const PatchFrame& f = patch.frame;
  for (std::size_t angle = 0; angle < kAngles; ++angle) {
    const std::uint8_t* regions = patch.bytes;
    const std::uint8_t* partners = regions + pair_offset(f, angle);
    std::uint8_t* __restrict base = pairs.bases[angle];
    const std::ptrdiff_t end = f.end(kFilterReach);
    for (std::ptrdiff_t i = f.begin(kFilterReach); i < end; ++i) {
      const std::uint8_t other = regions[i] == 1 ? std::uint8_t{0} : std::uint8_t{64};
      const std::uint8_t together = regions[i] == 0 ? std::uint8_t{128} : other;
      base[i] = regions[i] == partners[i] ? together : std::uint8_t{128};
    }
  }
}

void fill_codes(const PatchFrame& f, const std::uint8_t* channel, const PairPlanes& pairs) {
  for (std::size_t angle = 0; angle < kAngles; ++angle) {
    const std::uint8_t* base = pairs.bases[angle];
    const std::uint8_t* partner = channel + pair_offset(f, angle);
    std::uint8_t* __restrict codes = pairs.codes[angle];
    const std::ptrdiff_t end = f.end(kFilterReach);
    for (std::ptrdiff_t i = f.begin(kFilterReach); i < end; ++i)
      codes[i] = static_cast<std::uint8_t>(base[i] | (channel[i] >> 2 & 56) | partner[i] >> 5);
  }
}

/// Bytes are loaded eight at a time, because loads bound this loop.
void count_pairs(const PatchRegions& regions, const PairPlanes& pairs, PairCounts& counts) {
  const PatchFrame& f = regions.frame;
  counts = {};
  for (int y = kFilterReach; y < f.height - kFilterReach; ++y) {
    const std::ptrdiff_t end = f.row(y) + regions.row_end[y];
    for (std::ptrdiff_t i = f.row(y) + regions.row_begin[y]; i < end; i += 8) {
      std::uint64_t a = eight_from(pairs.codes[0] + i), b = eight_from(pairs.codes[1] + i),
                    c = eight_from(pairs.codes[2] + i), d = eight_from(pairs.codes[3] + i);
      for (std::ptrdiff_t k = std::min<std::ptrdiff_t>(8, end - i); k > 0; --k) {
        ++counts[0][a & 255];
        ++counts[1][b & 255];
        ++counts[2][c & 255];
        ++counts[3][d & 255];
        a >>= 8, b >>= 8, c >>= 8, d >>= 8;
      }
    }
  }
}

Cooccurrence pairs_in(std::size_t region, const PairCounts& counts) {
  Cooccurrence pairs{};
  for (std::size_t k = 0; k < pairs.size(); ++k)
    for (const auto& angle : counts) pairs[k] += angle[64 * region + k];
  return pairs;
}

}  // namespace

void texture_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                      std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                      std::span<const MaskPlace> places, std::span<const std::uint64_t> masks, View<double> table) {
  const Scratch::Mark mark(context.scratch);
  const WantedObjects objects(labels, boxes, wanted, places, masks);
  if (objects.largest == 0) return;
  const PairPlanes pairs(context.scratch, objects);
  auto& counts = context.scratch.take<PairCounts>(1)[0];
  for_each_patch(context.scratch, channels, objects,
                 [&](const PatchRegions& regions, const PatchChannels& patch, std::int32_t label) {
                   fill_bases(regions, pairs);
                   for (std::size_t c = 0; c < kStainChannels; ++c) {
                     fill_codes(regions.frame, patch.planes[c], pairs);
                     count_pairs(regions, pairs, counts);
                     for (std::size_t region = 0; region < kRegionCount; ++region)
                       write_texture(haralick_features(pairs_in(region, counts)),
                                     table.row(label - 1) + channel_column(FeatureFamily::texture, region, c));
                   }
                 });
}

}  // namespace starpath::cpu
