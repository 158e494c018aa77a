// k-means on few points, by the kernel for cores.
#include "pipelines/clustering/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/pure/random.hpp"

namespace starpath {
namespace {

constexpr int kStarts = 8, kSampleRounds = 30;

/// Where a number below the sum of all falls, if they lie one after the other.
std::size_t place_of(std::uint64_t number, std::span<const std::uint64_t> lengths) {
  std::size_t place = 0;
  for (; number >= lengths[place]; ++place) number -= lengths[place];
  return place;
}

/// `distances` to the nearest of some centres and of one more. Returns their sum.
std::uint64_t with_centre(const Points& sample, std::size_t centre, std::span<const std::uint64_t> distances,
                          std::span<std::uint64_t> with) {
  std::uint64_t sum = 0;
  for (std::size_t p = 0; p < with.size(); ++p) {
    with[p] =
        std::min(distances[p], std::uint64_t{squared_distance(sample.row(p), sample.row(centre), sample.numbers)});
    sum += with[p];
  }
  return sum;
}

/// Of several points drawn for each centre, the one that leaves the least sum of distances is taken.
Points seeds(const Points& sample, int k, SplitMix64& random) {
  const std::size_t count = sample.count();
  const int draws = 2 + static_cast<int>(std::log(k));
  Points centres{sample.numbers, {}};
  std::vector<std::uint64_t> nearest(count, std::numeric_limits<std::uint32_t>::max()), with(count), best(count);
  std::uint64_t total = 0;  // none yet; later 0 where all points lie on centres
  while (static_cast<int>(centres.count()) < k) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    std::size_t chosen = 0;
    for (int draw = 0; draw < (total == 0 ? 1 : draws); ++draw) {
      const std::size_t drawn = total == 0 ? random.next() % count : place_of(random.next() % total, nearest);
      const std::uint64_t sum = with_centre(sample, drawn, nearest, with);
      if (sum >= least) continue;
      least = sum;
      chosen = drawn;
      std::swap(best, with);
    }
    total = least;
    std::swap(nearest, best);
    centres.values.insert(centres.values.end(), sample.row(chosen), sample.row(chosen) + sample.numbers);
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
Silhouette silhouette_of_some(const Points& sample, const std::vector<std::uint8_t>& labels, int k) {
  const std::size_t count = std::min(sample.count(), kSilhouettePoints);
  std::vector<std::size_t> chosen(count);
  std::vector<int> clusters(count);
  Distances distances(count);
  SplitMix64 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * sample.count() / count, end = (i + 1) * sample.count() / count;
    chosen[i] = begin + random.next() % (end - begin);
    clusters[i] = labels[chosen[i]];
    for (std::size_t j = 0; j < i; ++j)
      distances.set(i, j,
                    std::sqrt(static_cast<double>(
                        squared_distance(sample.row(chosen[i]), sample.row(chosen[j]), sample.numbers))));
  }
  return silhouette(distances, clusters, static_cast<std::size_t>(k));
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
  best.silhouette = silhouette_of_some(sample, labels, k);
  return best;
}

SampleClusters& choose_fewest(std::span<SampleClusters> tried) {
  const auto mean = [](const SampleClusters& each) { return each.silhouette.mean; };
  const Silhouette best = std::ranges::max_element(tried, {}, mean)->silhouette;
  const double least = best.mean - kSilhouetteErrors * best.standard_error;
  return *std::ranges::find_if(tried, [&](const SampleClusters& each) { return mean(each) >= least; });
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
