// From the integer sums of one object to its row of features: the one place where all devices turn counts into doubles.
#pragma once
#include <cstddef>
#include <span>

#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "codelets/kernels/host_device.hpp"

namespace starpath {

/// The measures of one region in one channel, in the order of channel_measures; `v` and `g` are of its values and
/// gradient magnitudes.
STARPATH_HD inline void write_channel(const HistogramStatistics& v, const HistogramStatistics& g,
                                      const ChannelSums& sums, const HaralickFeatures& haralick, double* out) {
  for (const double x : {v.mean, v.max, v.min, v.std, v.entropy, v.energy, v.skewness, v.kurtosis}) *out++ = x;
  for (const double x : {g.mean, g.std, g.entropy, g.energy, g.skewness, g.kurtosis}) *out++ = x;
  const auto edges = static_cast<double>(sums.canny);
  *out++ = edges;
  *out++ = v.count == 0 ? 0 : 255 * edges / v.count;
  *out++ = static_cast<double>(sums.sobel);
  for (const double x : haralick) *out++ = x;
}

/// Where a channel's measures begin in a row.
STARPATH_HD constexpr std::size_t channel_column(std::size_t region, std::size_t channel) {
  constexpr std::size_t head = kShapeMeasures.size() + 1, measures = kChannelMeasures.size();
  return head + (3 * region + channel) * measures;
}

/// Writes the measures of the shape and the ring's area, with which a row begins.
STARPATH_HD inline void write_shape(const FeatureSums& sums, double* row) {
  const Shape s = shape_of(sums.shape);
  for (const double x : {s.area, s.perimeter, s.major_axis, s.minor_axis, s.eccentricity, s.extent, s.circularity,
                         s.equivalent_diameter})
    *row++ = x;
  *row = static_cast<double>(sums.ring_area);
}

/// Writes the features in the order of kFeatureNames. row.size() >= kFeatureTotal. Every value is finite: a statistic
/// that has no value (empty ring, constant patch, no pair) is 0. Uses only operations that IEEE 754 rounds exactly, so
/// a row depends on nothing but the sums. Thread-safe.
inline void write_feature_row(const FeatureSums& sums, std::span<double> row) {
  write_shape(sums, row.data());
  for (std::size_t region = 0; region < 2; ++region)
    for (std::size_t c = 0; c < 3; ++c) {
      const ChannelSums& channel = sums.channels[region][c];
      write_channel(histogram_statistics(channel.values), histogram_statistics(channel.gradient), channel,
                    haralick_features(channel.pairs), row.data() + channel_column(region, c));
    }
}

static_assert(kShapeMeasures.size() == 8 && kChannelMeasures.size() == 8 + 6 + 3 + 13);

}  // namespace starpath
