// From the integer sums of one object to its features: the one place where all devices turn counts into doubles.
#pragma once
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/feature_families.hpp"
#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/haralick.hpp"
#include "codelets/kernels/histogram_statistics.hpp"
#include "codelets/kernels/host_device.hpp"

namespace starpath {

// Every value is finite: a statistic that has no value (empty ring, constant patch, no pair) is 0. Only operations that
// IEEE 754 rounds exactly are used, so a row depends on nothing but the sums. All functions are thread-safe.

/// Writes the row of the shapes' table.
STARPATH_HD inline void write_shape(const OutlineSums& sums, double* row) {
  const Shape s = shape_of(sums.shape);
  for (const double x : {s.area, s.perimeter, s.major_axis, s.minor_axis, s.eccentricity, s.extent, s.circularity,
                         s.equivalent_diameter})
    *row++ = x;
  *row = static_cast<double>(sums.ring_area);
}

/// Writes the measures of the values of one region in one channel.
STARPATH_HD inline void write_intensity(const HistogramStatistics& values, double* out) {
  for (const double x : {values.mean, values.max, values.min, values.std, values.entropy, values.energy,
                         values.skewness, values.kurtosis})
    *out++ = x;
}

/// The same of the magnitudes of the gradient.
STARPATH_HD inline void write_gradient(const HistogramStatistics& magnitudes, double* out) {
  for (const double x : {magnitudes.mean, magnitudes.std, magnitudes.entropy, magnitudes.energy, magnitudes.skewness,
                         magnitudes.kurtosis})
    *out++ = x;
}

/// The same of the edges; the region has so many `pixels`.
STARPATH_HD inline void write_edges(const EdgeSums& sums, std::int64_t pixels, double* out) {
  const auto edges = static_cast<double>(sums.canny);
  *out++ = edges;
  *out++ = pixels == 0 ? 0 : 255 * edges / static_cast<double>(pixels);
  *out = static_cast<double>(sums.sobel);
}

/// The same of the texture.
STARPATH_HD inline void write_texture(const HaralickFeatures& haralick, double* out) {
  for (const double x : haralick) *out++ = x;
}

static_assert(kShapeMeasures.size() == 8);

}  // namespace starpath
