// From the integer sums of one object to its row of features: the one place where all devices turn counts into doubles.
#pragma once
#include <cstddef>
#include <span>

#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/feature_table.hpp"
#include "codelets/kernels/host_device.hpp"

namespace starpath {

namespace detail {

/// The measures of one region in one channel, in the order of channel_measures.
STARPATH_HD inline void write_channel(const ChannelSums& sums, double* out) {
  const HistogramStatistics v = histogram_statistics(sums.values);
  const HistogramStatistics g = histogram_statistics(sums.gradient);
  for (const double x : {v.mean, v.max, v.min, v.std, v.entropy, v.energy, v.skewness, v.kurtosis}) *out++ = x;
  for (const double x : {g.mean, g.std, g.entropy, g.energy, g.skewness, g.kurtosis}) *out++ = x;
  const auto edges = static_cast<double>(sums.canny);
  *out++ = edges;
  *out++ = v.count == 0 ? 0 : 255 * edges / v.count;
  *out++ = static_cast<double>(sums.sobel);
  for (const double x : haralick_features(sums.pairs)) *out++ = x;
}

}  // namespace detail

/// A row is written in parts, which depend on nothing of each other: part 0 is the shape and the ring's area, part
/// 1 + 3 * region + channel the measures of that channel in that region.
inline constexpr int kFeatureRowParts = 7;

/// Writes one part to the row that begins at `row`, which has kFeatureTotal elements.
STARPATH_HD inline void write_feature_part(const FeatureSums& sums, int part, double* row) {
  constexpr std::size_t head = kShapeMeasures.size() + 1;
  if (part != 0) {
    const auto k = static_cast<std::size_t>(part - 1);
    detail::write_channel(sums.channels[k / 3][k % 3], row + head + k * kChannelMeasures.size());
    return;
  }
  const Shape s = shape_of(sums.shape);
  for (const double x : {s.area, s.perimeter, s.major_axis, s.minor_axis, s.eccentricity, s.extent, s.circularity,
                         s.equivalent_diameter})
    *row++ = x;
  *row = static_cast<double>(sums.ring_area);
}

/// Writes the features in the order of feature_names. row.size() >= feature_total. Every value is finite: a statistic
/// that has no value (empty ring, constant patch, no pair) is 0. Uses only operations that IEEE 754 rounds exactly, so
/// a row depends on nothing but the sums. Thread-safe.
inline void write_feature_row(const FeatureSums& sums, std::span<double> row) {
  for (int part = 0; part < kFeatureRowParts; ++part) write_feature_part(sums, part, row.data());
}

static_assert(kShapeMeasures.size() == 8 && kChannelMeasures.size() == 8 + 6 + 3 + 13);

}  // namespace starpath
