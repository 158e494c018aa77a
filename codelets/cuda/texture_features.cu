// Co-occurrences of neighbouring levels of each wanted object, a block an object.
#include "codelets/cuda/object_patch.hpp"

namespace starpath::cuda {
namespace {

struct TextureFamily {
  struct Sums {
    Cooccurrence pairs[kRegionCount][kStainChannels];
  };
  GrayView channels;

  __device__ void add(const Objects&, const Patch& patch, Sums& sums) const {
    constexpr int partners[4][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
    for_patch(patch, [&](int x, int y, int i) {
      const int region = patch.bytes[i];
      if (region == 0) return;
      for (const auto& partner : partners) {
        if (patch.region(x + partner[0], y + partner[1]) != region) continue;
        for (int c = 0; c < kStainChannels; ++c) {
          const GrayView channel = channel_of(channels, c);
          const int u = patch.x0 + x, v = patch.y0 + y;
          const int pair = kHaralickLevels * haralick_level(channel.at(u, v)) +
                           haralick_level(channel.at(u + partner[0], v + partner[1]));
          atomicAdd(&sums.pairs[region - 1][c][static_cast<std::size_t>(pair)], 1U);
        }
      }
    });
  }

  __device__ void write(const Sums& sums, RowWork& work, int warp, double* row) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for_channels_of_warp(warp, [&](std::size_t region, std::size_t c) {
      const HaralickFeatures haralick = warp_haralick_features(sums.pairs[region][c], work, lane);
      if (lane == 0) write_texture(haralick, row + channel_column(FeatureFamily::texture, region, c));
    });
  }
};

}  // namespace

void texture_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                      std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                      std::span<const MaskPlace>, std::span<const std::uint64_t>, View<double> table) {
  measure_objects(context, "texture_features", labels, boxes, wanted, table, TextureFamily{channels});
}

}  // namespace starpath::cuda
