// Statistics of the gradient's magnitudes of each wanted object, a block an object.
#include <cmath>

#include "codelets/cuda/region_histograms.hpp"

namespace starpath::cuda {
namespace {

/// gradient_magnitude without its loop: below 2^18 no root that is not itself an odd integer comes as close to one as a
/// float rounds (cpu/feature_filters.cpp).
__device__ std::uint8_t magnitude_at(GrayView channel, int x, int y) {
  const int left = x > 0 ? x - 1 : 0, right = x + 1 < channel.width ? x + 1 : x;
  const int above = y > 0 ? y - 1 : 0, below = y + 1 < channel.height ? y + 1 : y;
  const int gx = channel.at(right, y) - channel.at(left, y), gy = channel.at(x, below) - channel.at(x, above);
  return static_cast<std::uint8_t>(std::sqrt(static_cast<float>(gx * gx + gy * gy)) * 0.5F + 0.5F);
}

struct GradientFamily {
  using Sums = RegionHistograms;
  GrayView channels;

  __device__ void add(const Objects&, const Patch& patch, Sums& sums) const {
    count_values(patch, sums, [&](int c, int x, int y) { return magnitude_at(channel_of(channels, c), x, y); });
  }

  __device__ void write(const Sums& sums, RowWork& work, int warp, double* row) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for_channels_of_warp(warp, [&](std::size_t region, std::size_t c) {
      const HistogramStatistics statistics = warp_histogram_statistics(sums.of[region][c], work, lane);
      if (lane == 0) write_gradient(statistics, row + channel_column(FeatureFamily::gradient, region, c));
    });
  }
};

}  // namespace

void gradient_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                       std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                       std::span<const MaskPlace>, std::span<const std::uint64_t>, View<double> table) {
  measure_objects(context, "gradient_features", labels, boxes, wanted, table, GradientFamily{channels});
}

}  // namespace starpath::cuda
