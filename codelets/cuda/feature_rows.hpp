// From an object's sums to its features, by warps: counts and logarithms by all lanes, each sum of doubles by
// one lane in the order that all devices share.
#pragma once
#include "codelets/cuda/warp.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::cuda {

/// The shared memory that a warp needs.
struct RowWork {
  double logs[256];
  HaralickCounts counts;
  static_assert(256 >= HaralickCounts::kCounts);
};

/// histogram_statistics by a warp. All lanes call this; lane 0 has the result.
__device__ inline HistogramStatistics warp_histogram_statistics(const Histogram& histogram, RowWork& work, int lane) {
  constexpr int none = 256;
  using Sum = long long;
  int first = none, last = none;  // the latter counted from the end
  Sum count = 0, sum1 = 0;
  double squares = 0;
  for (int v = lane; v < 256; v += 32) {
    const std::uint32_t n = histogram[static_cast<std::size_t>(v)];
    work.logs[v] = n_log2_n(n);
    squares += static_cast<double>(n) * static_cast<double>(n);
    if (n == 0) continue;
    first = v < first ? v : first;
    last = 255 - v;
    count += n;
    sum1 += Sum{n} * v;
  }
  first = warp_min(first);
  last = 255 - warp_min(last);
  count = warp_sum(count);
  if (count == 0) return {};
  const int origin = static_cast<int>(warp_sum(sum1) / count);
  Sum powers[4] = {};
  for (int v = lane; v < 256; v += 32) {
    const Sum n = histogram[static_cast<std::size_t>(v)], d = v - origin;
    powers[0] += n * d;
    powers[1] += n * d * d;
    powers[2] += n * d * d * d;
    powers[3] += n * d * d * d * d;
  }
  for (Sum& power : powers) power = warp_sum(power);
  HistogramSums sums{first, last, origin, {count, powers[0], powers[1], powers[2], powers[3]}, 0, warp_sum(squares)};
  __syncwarp();
  HistogramStatistics result;
  if (lane == 0) {
    for (int v = first; v <= last; ++v) sums.logs += work.logs[v];
    result = statistics_of(sums);
  }
  __syncwarp();  // the logarithms are the next one's
  return result;
}

/// n_log2_n of counts that lie in a row, from a table in the same order.
struct KnownLogs {
  const std::uint64_t* counts;
  const double* logs;
  STARPATH_HD double operator()(const std::uint64_t& count) const { return logs[&count - counts]; }
};

/// haralick_counts by a warp, into work.counts.
__device__ inline void warp_haralick_counts(const Cooccurrence& pairs, RowWork& work, int lane) {
  const auto both = [&](int a, int b) {
    return std::uint64_t{pairs[static_cast<std::size_t>(8 * a + b)]} + pairs[static_cast<std::size_t>(8 * b + a)];
  };
  HaralickCounts& c = work.counts;
  for (int i = lane; i < 64; i += 32) c.p[static_cast<std::size_t>(i)] = both(i / 8, i % 8);
  std::uint64_t sum = 0;
  if (lane < 8) {
    for (int b = 0; b < 8; ++b) sum += both(lane, b);
    c.marginal[static_cast<std::size_t>(lane)] = sum;
  } else if (lane < 16) {
    const int d = lane - 8;
    for (int a = 0; a + d < 8; ++a) sum += (d == 0 ? 1 : 2) * both(a, a + d);
    c.difference[static_cast<std::size_t>(d)] = sum;
  } else if (lane < 31) {
    const int s = lane - 16;
    for (int a = s < 8 ? 0 : s - 7; a <= s && a < 8; ++a) sum += both(a, s - a);
    c.sum[static_cast<std::size_t>(s)] = sum;
  } else {
    for (const std::uint32_t n : pairs) sum += 2 * std::uint64_t{n};
    c.total = sum;
  }
}

/// haralick_features by a warp; lane 0 has the result.
__device__ inline HaralickFeatures warp_haralick_features(const Cooccurrence& pairs, RowWork& work, int lane) {
  warp_haralick_counts(pairs, work, lane);
  __syncwarp();
  const std::uint64_t* const counts = work.counts.p.data();
  for (int i = lane; i < static_cast<int>(HaralickCounts::kCounts); i += 32) work.logs[i] = n_log2_n(counts[i]);
  __syncwarp();
  HaralickFeatures result{};
  if (lane == 0) result = haralick_features_of(work.counts, KnownLogs{counts, &work.logs[0]});
  __syncwarp();
  return result;
}

}  // namespace starpath::cuda
