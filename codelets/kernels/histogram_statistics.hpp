// Statistics of 8-bit values from their histogram.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/portable_math.hpp"

namespace starpath {

using Histogram = std::array<std::uint32_t, 256>;

/// All 0 for an empty histogram. A constant patch has std, entropy, skewness and kurtosis 0 and energy 1.
struct HistogramStatistics {
  double count = 0;  // pixels
  double mean = 0, max = 0, min = 0;
  double std = 0;       // of the population
  double entropy = 0;   // -sum p log2 p, bits
  double energy = 0;    // sum p^2
  double skewness = 0;  // m3 / m2^1.5, m_k the central moments of the population
  double kurtosis = 0;  // m4 / m2^2: 3 for a normal distribution
};

namespace detail {

/// Sums of powers of (value - origin): exact for fewer than 2^31 pixels.
struct PowerSums {
  std::int64_t count = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0;
};

STARPATH_HD inline PowerSums power_sums(const Histogram& histogram, int first, int last, int origin) {
  PowerSums s;
  for (int v = first; v <= last; ++v) {
    const std::int64_t n = histogram[static_cast<std::size_t>(v)];
    const std::int64_t d = v - origin;
    s.count += n;
    s.sum1 += n * d;
    s.sum2 += n * d * d;
    s.sum3 += n * d * d * d;
    s.sum4 += n * d * d * d * d;
  }
  return s;
}

inline constexpr int kHistogramStep = 16;

/// Whether kHistogramStep values from `first` on do not occur.
STARPATH_HD inline bool is_empty(const Histogram& histogram, int first) {
  std::uint32_t any = 0;
  for (int v = first; v < first + kHistogramStep; ++v) any |= histogram[static_cast<std::size_t>(v)];
  return any == 0;
}

}  // namespace detail

/// The sums behind the statistics of a histogram that is not empty.
struct HistogramSums {
  int first, last;           // values that occur
  int origin;                // the integer below the mean: about it nothing cancels in the doubles
  detail::PowerSums powers;  // about the origin
  double logs = 0;           // of n log2 n, from the first value to the last, in this order on every device
  double squares = 0;        // of n^2, exact
};

STARPATH_HD inline HistogramStatistics statistics_of(const HistogramSums& sums) {
  const detail::PowerSums& s = sums.powers;
  const auto n = static_cast<double>(s.count);
  const double a1 = static_cast<double>(s.sum1) / n, a2 = static_cast<double>(s.sum2) / n;
  const double a3 = static_cast<double>(s.sum3) / n, a4 = static_cast<double>(s.sum4) / n;

  HistogramStatistics result;
  result.count = n;
  result.mean = sums.origin + a1;
  result.min = sums.first;
  result.max = sums.last;
  result.energy = sums.squares / (n * n);
  if (sums.first == sums.last) return result;
  result.entropy = (n_log2_n(static_cast<std::uint64_t>(s.count)) - sums.logs) / n;
  const double m2 = a2 - a1 * a1;
  const double m3 = a3 - 3 * a1 * a2 + 2 * a1 * a1 * a1;
  const double m4 = a4 - 4 * a1 * a3 + 6 * a1 * a1 * a2 - 3 * a1 * a1 * a1 * a1;
  result.std = std::sqrt(m2);
  result.skewness = m3 / (m2 * result.std);
  result.kurtosis = m4 / (m2 * m2);
  return result;
}

STARPATH_HD inline HistogramStatistics histogram_statistics(const Histogram& histogram) {
  int first = 0, last = 255;
  while (first < 256 && detail::is_empty(histogram, first)) first += detail::kHistogramStep;
  if (first == 256) return {};
  while (detail::is_empty(histogram, last + 1 - detail::kHistogramStep)) last -= detail::kHistogramStep;
  while (histogram[static_cast<std::size_t>(first)] == 0) ++first;
  while (histogram[static_cast<std::size_t>(last)] == 0) --last;

  const detail::PowerSums about_first = detail::power_sums(histogram, first, last, first);
  const int origin = first + static_cast<int>(about_first.sum1 / about_first.count);
  HistogramSums sums{first, last, origin, detail::power_sums(histogram, first, last, origin), 0};
  for (int v = first; v <= last; ++v) {
    const std::uint32_t h = histogram[static_cast<std::size_t>(v)];
    sums.logs += n_log2_n(h);
    sums.squares += static_cast<double>(h) * static_cast<double>(h);
  }
  return statistics_of(sums);
}

}  // namespace starpath
