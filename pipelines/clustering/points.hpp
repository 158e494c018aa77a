// Points in memory, and k-means of few of them. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codelets/kernels/kmeans_assign.hpp"
#include "pipelines/clustering/silhouette.hpp"

namespace starpath {

/// Rows of `numbers` numbers each (kmeans_assign.hpp).
struct Points {
  int numbers = 0;
  std::vector<std::int16_t> values;

  std::size_t count() const { return numbers == 0 ? 0 : values.size() / static_cast<std::size_t>(numbers); }
  const std::int16_t* row(std::size_t point) const { return values.data() + point * static_cast<std::size_t>(numbers); }
  View<const std::int16_t> view() const { return {values.data(), numbers, static_cast<int>(count()), numbers}; }
  friend bool operator==(const Points&, const Points&) = default;
};

/// The sums of kmeans_assign, over any number of points.
class CentreSums {
 public:
  CentreSums(int centres, int numbers);

  /// Rows of numbers + 2.
  void add(std::span<const std::int64_t> sums);
  /// The same rows.
  std::span<std::int64_t> values() { return sums_; }
  /// The means, rounded half away from zero. A centre without points stays where it was.
  Points means(const Points& centres) const;
  std::int64_t points_of(int centre) const { return sums_[last(centre) - 1]; }
  /// Sum of all squared distances; unit of kPointUnit squared.
  std::int64_t spread() const;

 private:
  std::size_t last(int centre) const {
    return static_cast<std::size_t>(centre + 1) * static_cast<std::size_t>(numbers_ + 2) - 1;
  }
  int centres_, numbers_;
  std::vector<std::int64_t> sums_;
};

/// The figures of a sample for one number of clusters.
struct SampleClusters {
  Points centres;
  std::int64_t spread = 0;
  Silhouette silhouette;  // of at most kSilhouettePoints points
};

inline constexpr std::size_t kSilhouettePoints = 1000;
inline constexpr double kSilhouetteErrors = 3;

/// Centres of k clusters of a sample, which has k points or more: seeds by greedy k-means++ (Arthur, Vassilvitskii
/// 2007, section 7: the best of 2 + ln k draws), then Lloyd's rounds; the best of several starts by `spread`. The same
/// for the same sample, k and seed.
SampleClusters cluster_sample(const Points& sample, int k, std::uint64_t seed);

/// Of `tried`, the smallest number of clusters whose silhouette is within kSilhouetteErrors standard errors of the
/// highest (after the rule of one standard error, Breiman et al. 1984). A handful of outliers in a cluster of their own
/// usually gains less than that, and a kind of nuclei more (docs/groups-of-nuclei.md).
SampleClusters& choose_fewest(std::span<SampleClusters> tried);

/// The centres with the most points first, equal ones in the order of their numbers. Returns the old numbers.
std::vector<int> order_by_size(const Points& centres, const CentreSums& sums);

}  // namespace starpath
