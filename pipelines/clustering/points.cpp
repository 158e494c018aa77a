// k-means on few points, by the kernel for cores.
#include "pipelines/clustering/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/pure/random.hpp"

namespace starpath {
namespace {

constexpr int kStarts = 4, kSampleRounds = 30;

Points seeds(const Points& sample, int k, SplitMix64& random) {
  const std::size_t count = sample.count();
  Points centres{sample.numbers, {}};
  const auto take = [&](std::size_t point) {
    centres.values.insert(centres.values.end(), sample.row(point), sample.row(point) + sample.numbers);
  };
  take(random.next() % count);
  std::vector<std::uint64_t> nearest(count, std::numeric_limits<std::uint32_t>::max());
  while (static_cast<int>(centres.count()) < k) {
    const std::int16_t* newest = centres.row(centres.count() - 1);
    std::uint64_t total = 0;
    for (std::size_t p = 0; p < count; ++p) {
      nearest[p] = std::min<std::uint64_t>(nearest[p], squared_distance(sample.row(p), newest, sample.numbers));
      total += nearest[p];
    }
    std::size_t chosen = random.next() % count;  // all points lie on centres: any will do
    if (total > 0) {
      std::uint64_t left = random.next() % total;
      for (chosen = 0; left >= nearest[chosen]; ++chosen) left -= nearest[chosen];
    }
    take(chosen);
  }
  return centres;
}

struct Assigned {
  std::vector<std::uint8_t> labels;
  CentreSums sums;
};

Assigned assign(const Points& points, const Points& centres) {
  Scratch scratch;
  const KernelContext context{scratch};
  const auto k = static_cast<int>(centres.count());
  const int columns = points.numbers + 2;
  std::vector<std::int64_t> sums(static_cast<std::size_t>(k) * static_cast<std::size_t>(columns));
  Assigned result{std::vector<std::uint8_t>(points.count()), CentreSums(k, points.numbers)};
  cpu::kmeans_assign(context, points.view(), centres.view(), result.labels, {sums.data(), columns, k, columns});
  result.sums.add(sums);
  return result;
}

/// Of one point of each of many equal stretches, at random: points may repeat themselves.
double silhouette(const Points& sample, const std::vector<std::uint8_t>& labels, int k) {
  const std::size_t count = std::min(sample.count(), kSilhouettePoints);
  std::vector<std::size_t> chosen(count);
  SplitMix64 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * sample.count() / count, end = (i + 1) * sample.count() / count;
    chosen[i] = begin + random.next() % (end - begin);
  }
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(k));
  for (const std::size_t p : chosen) ++sizes[labels[p]];
  double sum = 0;
  std::vector<double> distance(static_cast<std::size_t>(k));
  for (const std::size_t p : chosen) {
    std::ranges::fill(distance, 0);
    for (const std::size_t q : chosen)
      distance[labels[q]] +=
          std::sqrt(static_cast<double>(squared_distance(sample.row(p), sample.row(q), sample.numbers)));
    const std::size_t own = labels[p];
    if (sizes[own] < 2) continue;  // of a point that is alone it is 0
    const double within = distance[own] / static_cast<double>(sizes[own] - 1);
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < distance.size(); ++c)
      if (c != own && sizes[c] > 0) next = std::min(next, distance[c] / static_cast<double>(sizes[c]));
    if (std::isfinite(next) && std::max(within, next) > 0) sum += (next - within) / std::max(within, next);
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

CentreSums::CentreSums(int centres, int numbers)
    : centres_(centres),
      numbers_(numbers),
      sums_(static_cast<std::size_t>(centres) * static_cast<std::size_t>(numbers + 2)) {}

void CentreSums::add(std::span<const std::int64_t> sums) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += sums[i];
}

Points CentreSums::means(const Points& centres) const {
  Points means = centres;
  for (int c = 0; c < centres_; ++c) {
    const std::int64_t count = points_of(c);
    if (count == 0) continue;
    for (int i = 0; i < numbers_; ++i) {
      const std::int64_t sum =
          sums_[static_cast<std::size_t>(c) * static_cast<std::size_t>(numbers_ + 2) + static_cast<std::size_t>(i)];
      const std::int64_t rounded = (2 * std::abs(sum) + count) / (2 * count);
      means.values[static_cast<std::size_t>(c) * static_cast<std::size_t>(numbers_) + static_cast<std::size_t>(i)] =
          static_cast<std::int16_t>(sum < 0 ? -rounded : rounded);
    }
  }
  return means;
}

std::int64_t CentreSums::spread() const {
  std::int64_t sum = 0;
  for (int c = 0; c < centres_; ++c) sum += sums_[last(c)];
  return sum;
}

SampleClusters cluster_sample(const Points& sample, int k, std::uint64_t seed) {
  SampleClusters best;
  std::vector<std::uint8_t> labels;
  SplitMix64 random(seed + static_cast<std::uint64_t>(k) * kGoldenStep);
  for (int start = 0; start < kStarts; ++start) {
    Points centres = seeds(sample, k, random);
    Assigned assigned = assign(sample, centres);
    for (int round = 0; round < kSampleRounds; ++round) {
      Points means = assigned.sums.means(centres);
      if (means == centres) break;
      centres = std::move(means);
      assigned = assign(sample, centres);
    }
    if (start > 0 && assigned.sums.spread() >= best.spread) continue;
    best.centres = std::move(centres);
    best.spread = assigned.sums.spread();
    labels = std::move(assigned.labels);
  }
  best.silhouette = silhouette(sample, labels, k);
  return best;
}

std::vector<int> order_by_size(const Points& centres, const CentreSums& sums) {
  std::vector<int> order(centres.count());
  std::iota(order.begin(), order.end(), 0);
  const auto values = [&](int c) {
    return std::span(centres.row(static_cast<std::size_t>(c)), static_cast<std::size_t>(centres.numbers));
  };
  std::ranges::stable_sort(order, [&](int a, int b) {
    if (sums.points_of(a) != sums.points_of(b)) return sums.points_of(a) > sums.points_of(b);
    return std::ranges::lexicographical_compare(values(a), values(b));
  });
  return order;
}

}  // namespace starpath
