// From the integer sums of one object to its row of features: the one place where all devices turn counts into doubles.
#pragma once
#include <cstddef>
#include <span>

#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/feature_table.hpp"

namespace starpath {

namespace detail {

/// The measures of one region in one channel, in the order of channel_measures.
inline void write_channel(const ChannelSums& sums, double* out) {
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

/// Writes the features in the order of feature_names. row.size() >= feature_total. Every value is finite: a statistic
/// that has no value (empty ring, constant patch, no pair) is 0. Uses only operations that IEEE 754 rounds exactly, so
/// a row depends on nothing but the sums. Thread-safe.
inline void write_feature_row(const FeatureSums& sums, std::span<double> row) {
  const Shape s = shape_of(sums.shape);
  double* out = row.data();
  for (const double x : {s.area, s.perimeter, s.major_axis, s.minor_axis, s.eccentricity, s.extent, s.circularity,
                         s.equivalent_diameter})
    *out++ = x;
  *out++ = static_cast<double>(sums.ring_area);
  for (const auto& region : sums.channels)
    for (const auto& channel : region) {
      detail::write_channel(channel, out);
      out += channel_measures.size();
    }
}

static_assert(shape_measures.size() == 8 && channel_measures.size() == 8 + 6 + 3 + 13);

}  // namespace starpath
