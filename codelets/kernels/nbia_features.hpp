// The 25 features of NBIA from the counts: one routine for every device, doubles in one order.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/nbia_texture.hpp"
#include "codelets/kernels/portable_math.hpp"

namespace starpath {

inline constexpr std::size_t kNbiaFeatureCount = 25;
using NbiaFeatures = std::array<double, kNbiaFeatureCount>;

using NbiaPairs = std::uint32_t[kNbiaLevels * kNbiaLevels];

/// Entry `at` of the symmetric matrix of `pairs`.
STARPATH_HD constexpr std::uint64_t symmetric_count(const NbiaPairs& pairs, std::size_t at) {
  constexpr std::size_t levels = kNbiaLevels;
  return std::uint64_t{pairs[at]} + pairs[at % levels * levels + at / levels];
}

/// n * log2(n) of entry `at`, which is n, computed where it is needed.
struct NLog2N {
  STARPATH_HD double operator()(std::size_t, std::uint64_t n) const { return n_log2_n(n); }
};

/// Contrast, correlation, energy, homogeneity and entropy (base 2) of the symmetric matrix of `pairs`; all 0 without a
/// pair. A single level has correlation 0. Exact sums for fewer than 2^30 pairs. `logs_of` gives the same values as
/// NLog2N.
template <class LogsOf = NLog2N>
STARPATH_HD inline std::array<double, 5> cooccurrence_features(const NbiaPairs& pairs, LogsOf logs_of = {}) {
  constexpr std::size_t levels = kNbiaLevels;
  std::array<std::uint64_t, levels> marginal{}, difference{};  // of a level; of |a - b|
  std::uint64_t total = 0;
  double squares = 0, logs = 0;
  for (std::size_t a = 0; a < levels; ++a)
    for (std::size_t b = 0; b < levels; ++b) {
      const std::uint64_t n = symmetric_count(pairs, levels * a + b);
      marginal[a] += n;
      difference[a > b ? a - b : b - a] += n;
      total += n;
      squares += static_cast<double>(n) * static_cast<double>(n);
      logs += logs_of(levels * a + b, n);
    }
  if (total == 0) return {};
  std::uint64_t contrast = 0, sum1 = 0, sum2 = 0;
  double homogeneity = 0;
  for (std::size_t d = 0; d < levels; ++d) {
    contrast += difference[d] * d * d;
    homogeneity += static_cast<double>(difference[d]) / static_cast<double>(1 + d * d);
    sum1 += marginal[d] * d;
    sum2 += marginal[d] * d * d;
  }
  const auto n = static_cast<double>(total);
  // variance * total^2; the correlation of a symmetric matrix is 1 - contrast / (2 variance).
  const std::uint64_t spread = total * sum2 - sum1 * sum1;
  const double correlation =
      spread == 0 ? 0 : 1 - static_cast<double>(contrast) * n / (2 * static_cast<double>(spread));
  return {static_cast<double>(contrast) / n, correlation, squares / (n * n), homogeneity / n,
          std::max(0.0, (n_log2_n(total) - logs) / n)};
}

/// The share of each pattern; 0 where there is no inner pixel.
STARPATH_HD inline std::array<double, kLbpBins> pattern_features(const std::uint32_t (&lbp)[kLbpBins]) {
  std::uint64_t inner = 0;
  for (const std::uint32_t n : lbp) inner += n;
  std::array<double, kLbpBins> shares{};
  for (std::size_t i = 0; i < kLbpBins; ++i)
    shares[i] = inner == 0 ? 0 : static_cast<double>(lbp[i]) / static_cast<double>(inner);
  return shares;
}

/// The co-occurrence features of L*, a* and b*, then those of the patterns.
inline NbiaFeatures nbia_features(const NbiaCounts& counts) {
  NbiaFeatures features{};
  std::size_t at = 0;
  for (const auto& pairs : counts.pairs)
    for (const double value : cooccurrence_features(pairs)) features[at++] = value;
  for (const double value : pattern_features(counts.lbp)) features[at++] = value;
  return features;
}

/// Background: at least 90 % of the pixels are glass.
constexpr bool nbia_background(const NbiaCounts& counts) {
  return std::uint64_t{counts.glass} * 10 >= std::uint64_t{counts.pixels} * 9;
}

}  // namespace starpath
