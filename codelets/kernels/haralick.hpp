// Texture after Haralick from one co-occurrence matrix of 8 levels.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/portable_math.hpp"

namespace starpath {

inline constexpr int kHaralickLevels = 8;

/// Level of an 8-bit value: 0..7, each 32 values wide.
constexpr int haralick_level(int value) { return value >> 5; }

/// pairs[8 * a + b]: how often a pixel of level a has a pixel of level b to its right, lower right, below or lower left
/// (the four angles at distance 1, summed). Only pairs count whose two pixels lie in the same region.
using Cooccurrence = std::array<std::uint32_t, kHaralickLevels * kHaralickLevels>;

/// Haralick, Shanmugam and Dinstein, "Textural features for image classification" (1973), f1 to f13 in their order,
/// without f14 (the maximal correlation coefficient).
using HaralickFeatures = std::array<double, 13>;

/// The symmetric matrix of a Cooccurrence and its marginals, as counts; a probability is a count / total.
struct HaralickCounts {
  std::array<std::uint64_t, 64> p;
  std::array<std::uint64_t, 8> marginal, difference;  // of a level; of |a - b|
  std::array<std::uint64_t, 15> sum;                  // of a + b
  std::uint64_t total;

  /// How many counts there are without the total; they lie one behind the other.
  static constexpr std::size_t kCounts = 64 + 8 + 8 + 15;
};
static_assert(sizeof(HaralickCounts) == (HaralickCounts::kCounts + 1) * sizeof(std::uint64_t));

inline HaralickCounts haralick_counts(const Cooccurrence& pairs) {
  HaralickCounts c{};
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b) {
      const std::uint64_t n = std::uint64_t{pairs[8 * a + b]} + pairs[8 * b + a];
      c.p[8 * a + b] = n;
      c.marginal[a] += n;
      c.difference[a > b ? a - b : b - a] += n;
      c.sum[a + b] += n;
      c.total += n;
    }
  return c;
}

namespace detail {

/// n_log2_n of a count. A device may have computed it before (cuda/feature_rows.hpp).
struct ComputedLogs {
  STARPATH_HD double operator()(const std::uint64_t& count) const { return n_log2_n(count); }
};

/// The entropy of counts whose sum is `n`; `n_log_n` is n_log2_n of `n`.
template <std::size_t size, class Logs>
STARPATH_HD double entropy_of_counts(const std::array<std::uint64_t, size>& counts, double n, double n_log_n,
                                     const Logs& log_of) {
  double logs = 0;
  for (const std::uint64_t& count : counts) logs += log_of(count);
  return std::max(0.0, (n_log_n - logs) / n);
}

/// Mean and population variance of an index weighted by its counts; `spread` = variance * total^2, exact.
struct IndexMoments {
  double mean, variance;
  std::uint64_t spread;
};

template <std::size_t size>
STARPATH_HD IndexMoments index_moments(const std::array<std::uint64_t, size>& counts, std::uint64_t total) {
  std::uint64_t sum1 = 0, sum2 = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum1 += counts[i] * i;
    sum2 += counts[i] * i * i;
  }
  const auto n = static_cast<double>(total);
  const std::uint64_t spread = total * sum2 - sum1 * sum1;
  return {static_cast<double>(sum1) / n, static_cast<double>(spread) / (n * n), spread};
}

}  // namespace detail

/// The features from counts; log_of(c.p[i]) and so on are n_log2_n of the counts.
template <class Logs>
STARPATH_HD HaralickFeatures haralick_features_of(const HaralickCounts& c, const Logs& log_of) {
  if (c.total == 0) return {};
  const auto n = static_cast<double>(c.total);
  const auto level = detail::index_moments(c.marginal, c.total);
  const auto sum = detail::index_moments(c.sum, c.total);
  const auto difference = detail::index_moments(c.difference, c.total);
  double squares = 0, homogeneity = 0;
  for (const std::uint64_t k : c.p) squares += static_cast<double>(k) * static_cast<double>(k);
  std::uint64_t contrast = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    contrast += c.difference[d] * d * d;
    homogeneity += static_cast<double>(c.difference[d]) / static_cast<double>(1 + d * d);
  }
  const double n_log_n = n_log2_n(c.total);
  const double entropy = detail::entropy_of_counts(c.p, n, n_log_n, log_of);
  const double independent =
      2 * detail::entropy_of_counts(c.marginal, n, n_log_n, log_of);  // HX + HY = HXY1 = HXY2: the matrix is symmetric
  const double information = std::max(0.0, independent - entropy);

  HaralickFeatures f{};
  f[0] = squares / (n * n);
  f[1] = static_cast<double>(contrast) / n;
  // 1 - contrast / (2 variance) is the textbook correlation of a symmetric matrix.
  if (level.spread != 0) f[2] = 1 - f[1] / (2 * level.variance);
  f[3] = level.variance;
  f[4] = homogeneity / n;
  f[5] = sum.mean + 2;
  f[6] = sum.variance;
  f[7] = detail::entropy_of_counts(c.sum, n, n_log_n, log_of);
  f[8] = entropy;
  f[9] = difference.variance;
  f[10] = detail::entropy_of_counts(c.difference, n, n_log_n, log_of);
  if (level.spread != 0) f[11] = 0 - information / (independent / 2);
  f[12] = std::sqrt(std::max(0.0, 1 - portable_exp2(-2 * information)));
  return f;
}

/// All 0 when there is no pair. Levels count from 1 to 8 as in the paper, logarithms have base 2, sum variance is taken
/// about the sum average. A single level has correlation 0 and both measures of information 0. Exact sums for fewer
/// than 2^27 pairs.
inline HaralickFeatures haralick_features(const Cooccurrence& pairs) {
  return haralick_features_of(haralick_counts(pairs), detail::ComputedLogs{});
}

}  // namespace starpath
