// Statistics of the values of each wanted object, a block an object.
#include "codelets/cuda/region_histograms.hpp"

namespace starpath::cuda {
namespace {

struct IntensityFamily {
  using Sums = RegionHistograms;
  GrayView channels;

  __device__ void add(const Objects&, const Patch& patch, Sums& sums) const {
    count_values(patch, sums, [&](int c, int x, int y) { return channel_of(channels, c).at(x, y); });
  }

  __device__ void write(const Sums& sums, RowWork& work, int warp, double* row) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for_channels_of_warp(warp, [&](std::size_t region, std::size_t c) {
      const HistogramStatistics statistics = warp_histogram_statistics(sums.of[region][c], work, lane);
      if (lane == 0) write_intensity(statistics, row + channel_column(FeatureFamily::intensity, region, c));
    });
  }
};

}  // namespace

void intensity_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                        std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                        std::span<const MaskPlace>, std::span<const std::uint64_t>, View<double> table) {
  measure_objects(context, "intensity_features", labels, boxes, wanted, table, IntensityFamily{channels});
}

}  // namespace starpath::cuda
