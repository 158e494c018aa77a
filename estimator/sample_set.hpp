// A bounded set of samples of one codelet on one device class, laid out for nearest-neighbour search.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/pure/random.hpp"
#include "estimator/features.hpp"
#include "estimator/time_estimate.hpp"

namespace starpath {

/// Highest absolute value seen of each numeric dimension; the scale of that dimension. 0: only zeros seen.
using Scale = std::array<double, Features::kMaxNumeric>;

/// At most `capacity` samples. Once full, each new sample replaces a random one with a chance that makes every sample
/// ever offered equally likely to be kept (reservoir sampling, algorithm R). Not thread-safe.
class SampleSet {
 public:
  /// `seed` fixes which samples are kept.
  SampleSet(std::size_t capacity, std::uint64_t seed) : capacity_(capacity), random_(seed) {}

  /// Offers a sample; `scale` already covers it. Returns whether it is kept. `modelled`: Sample::modelled.
  bool add(const Features& features, double seconds, const Scale& scale, double modelled = 0);

  /// Computes the stored distances anew after `scale` grew.
  void rescale(const Scale& scale);

  /// The mean of the k nearest samples to `query`, of all when there are fewer; nullopt when there are none, or all are
  /// infinitely far. Its error is the standard deviation of these samples' seconds, as a share of their mean.
  /// Distance: numeric dimensions divided by their scale, Euclidean, with 1 added under the root for each categorical
  /// value that differs (a dimension present on one side only counts as 0 on the other).
  /// Where more samples are as far as the k-th than there are places left, the median of them all (the last 64) counts
  /// in these places. So k tasks that something delayed do not speak for a thousand that are like them.
  /// Where two of the nearest disagree by more than kAgree times although their inputs are alike, something delayed the
  /// slower one, and the median stands for the mean: of an even number the lower of the two in the middle, as a delay
  /// makes tasks longer, never shorter. Inputs are alike where each numeric dimension is within a factor of two and the
  /// categorical values are equal: the work of most tasks grows with no more than the cube of their size.
  std::optional<TimeEstimate> nearest(const Features& query, std::size_t k, const Scale& scale) const;

  static constexpr std::size_t kMaxNeighbours = 64;
  static constexpr double kAgree = 8;  ///< the cube of a factor of two

  /// Rows of entries(), nearest first.
  struct Found {
    std::array<std::size_t, kMaxNeighbours> rows;
    std::array<float, kMaxNeighbours> distances;  ///< squared, and finite
    std::size_t count = 0;
    std::array<std::size_t, kMaxNeighbours> as_far;  ///< all that are as far as the farthest: the last so many
    std::size_t count_as_far = 0;
  };
  /// The k nearest samples to `query`, in the distance of `nearest`; of equally far ones those that came first.
  Found find(const Features& query, std::size_t k, const Scale& scale) const;

  std::size_t size() const { return samples_.size(); }
  /// How many were ever offered.
  std::uint64_t offered() const { return offered_; }

  struct Entry {
    Features features;
    double seconds = 0, modelled = 0;
  };
  const std::vector<Entry>& entries() const { return samples_; }

 private:
  void place(std::size_t row, const Scale& scale);
  template <class Quantity>
  double typical(std::span<const std::size_t> nearer, std::size_t places, std::span<const std::size_t> as_far,
                 Quantity quantity) const;
  double error_of(double seconds, std::span<const std::size_t> nearer, std::span<const std::size_t> as_far) const;

  std::size_t capacity_;
  Lcg64 random_;
  std::uint64_t offered_ = 0;
  std::vector<Entry> samples_;
  // One array a dimension, the numeric ones scaled: a query runs along them.
  std::array<std::vector<float>, Features::kMaxNumeric> columns_;
  std::array<std::vector<std::int64_t>, Features::kMaxCategorical> category_columns_;
  std::size_t dimensions_ = 0;
  std::size_t categories_ = 0;
};

}  // namespace starpath
