// A bounded set of samples: reservoir and nearest-neighbour search.
#include "estimator/sample_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/pure/quartiles.hpp"

#ifdef STARPATH_VECTOR_CLONES  // what they call must be part of them: a copy of its own would not be as wide
#define STARPATH_IN_EACH_WIDTH __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define STARPATH_IN_EACH_WIDTH
#endif

namespace starpath {
namespace {

constexpr std::size_t kMaxNeighbours = SampleSet::kMaxNeighbours;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kBlock = 32;  // rows whose distances are computed together; a multiple of any vector width
using Block = std::array<float, kBlock>;
constexpr std::size_t kTogether = 4;  // dimensions between two passes over the distances of a block
static_assert(Features::kMaxNumeric % kTogether == 0);

/// Adds the squared differences in kTogether dimensions, one after another, for the rows from `row` on.
[[gnu::always_inline]] inline void add_squares(Block& distance, const std::vector<float>* columns, const float* at,
                                               std::size_t row) {
  const float* const column0 = columns[0].data() + row;
  const float* const column1 = columns[1].data() + row;
  const float* const column2 = columns[2].data() + row;
  const float* const column3 = columns[3].data() + row;
  const auto square = [](float difference) { return difference * difference; };
  for (std::size_t i = 0; i < kBlock; ++i) {
    distance[i] = distance[i] + square(column0[i] - at[0]) + square(column1[i] - at[1]) + square(column2[i] - at[2]) +
                  square(column3[i] - at[3]);
  }
}

/// A bound on the k-th smallest distance, from the smallest of each lane: it falls as lanes are merged, and the largest
/// of any k disjoint sets' smallest is one.
[[gnu::always_inline]] inline float bound_on_kth(Block smallest, std::size_t k) {
  std::size_t lanes = kBlock;
  if (k > lanes) return kInfinity;
  for (; lanes / 2 >= k; lanes /= 2) {
    for (std::size_t i = 0; i < lanes / 2; ++i) smallest[i] = std::min(smallest[i], smallest[i + lanes / 2]);
  }
  return *std::max_element(smallest.begin(), smallest.begin() + static_cast<std::ptrdiff_t>(lanes));
}

float scaled(double value, double scale) { return scale > 0 ? static_cast<float>(value / scale) : 0.0F; }

/// The k nearest rows seen so far, nearest first; rows arrive in ascending order, so equal distances keep the earlier.
class Nearest {
 public:
  Nearest(std::size_t k, SampleSet::Found& found) : k_(k), found_(found) {}

  float worst() const { return found_.count < k_ ? kInfinity : found_.distances[k_ - 1]; }

  void offer(float distance, std::size_t row) {
    std::size_t at = found_.count < k_ ? found_.count++ : k_ - 1;
    for (; at > 0 && found_.distances[at - 1] > distance; --at) {
      found_.distances[at] = found_.distances[at - 1];
      found_.rows[at] = found_.rows[at - 1];
    }
    found_.distances[at] = distance;
    found_.rows[at] = row;
  }

 private:
  std::size_t k_;
  SampleSet::Found& found_;
};

/// Offers what is at most `bound` away, in the order of rows.
[[gnu::always_inline]] inline void offer_near(std::span<const Block> distances, float bound, Nearest& nearest) {
  std::size_t begin = 0;
  for (const Block& distance : distances) {
    const float worst = nearest.worst();
    std::uint32_t near = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      near |= (std::uint32_t{distance[i] <= bound} & std::uint32_t{distance[i] < worst}) << i;
    }
    for (; near != 0; near &= near - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(near));
      if (distance[i] < nearest.worst()) nearest.offer(distance[i], begin + i);
    }
    begin += kBlock;
  }
}

/// Sets the first of `rows` to rows that are exactly so far, the latest ones first. Returns how many.
[[gnu::always_inline]] inline std::size_t latest_as_far(std::span<const Block> distances, float far,
                                                        std::array<std::size_t, kMaxNeighbours>& rows) {
  std::size_t count = 0;
  for (std::size_t block = distances.size(); block-- > 0;) {
    std::uint32_t equal = 0;
    for (std::size_t i = 0; i < kBlock; ++i) equal |= std::uint32_t{distances[block][i] == far} << i;
    for (; equal != 0; equal &= ~std::bit_floor(equal)) {
      if (count == rows.size()) return count;
      rows[count++] = block * kBlock + static_cast<std::size_t>(std::bit_width(equal)) - 1;
    }
  }
  return count;
}

/// The median; of an even count the mean of the two in the middle, or the lower one where they disagree. Reorders them.
double middle(std::span<double> numbers) {
  const double median_of_all = median(numbers);  // those below are in the lower half now
  if (numbers.size() % 2 != 0) return median_of_all;
  const double low =
      *std::max_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2));
  return 2 * median_of_all - low > SampleSet::kAgree * low ? low : median_of_all;
}

/// Whether tasks with these inputs should take times that are within kAgree of each other.
bool alike(const Features& a, const Features& b) {
  const auto within_twice = [](double x, double y) {
    return x == y || (x * y > 0 && std::abs(x) <= 2 * std::abs(y) && std::abs(y) <= 2 * std::abs(x));
  };
  return std::ranges::equal(a.numeric, b.numeric, within_twice) && a.categorical == b.categorical;
}

}  // namespace

bool SampleSet::add(const Features& features, double seconds, const Scale& scale, double modelled) {
  ++offered_;
  dimensions_ = std::max<std::size_t>(dimensions_, features.numeric_count);
  categories_ = std::max<std::size_t>(categories_, features.categorical_count);
  if (samples_.size() < capacity_) {
    samples_.push_back({features, seconds, modelled});
    // Columns are whole blocks, so that the search needs no loop over a rest; no query is near that, as the first
    // dimension says.
    const std::size_t rows = (samples_.size() + kBlock - 1) / kBlock * kBlock;
    columns_[0].resize(rows, kInfinity);
    for (auto& column : std::span(columns_).subspan(1)) column.resize(rows);
    for (auto& column : category_columns_) column.resize(rows);
    place(samples_.size() - 1, scale);
    return true;
  }
  const std::uint64_t row = (random_.next() >> 11) % offered_;
  if (row >= capacity_) return false;
  samples_[row] = {features, seconds, modelled};
  place(row, scale);
  return true;
}

/// Columns of dimensions and categories that no sample has stay 0.
void SampleSet::place(std::size_t row, const Scale& scale) {
  for (std::size_t d = 0; d < std::max<std::size_t>(1, dimensions_); ++d) {
    columns_[d][row] = scaled(samples_[row].features.numeric[d], scale[d]);
  }
  for (std::size_t c = 0; c < categories_; ++c) {
    category_columns_[c][row] = samples_[row].features.categorical[c];
  }
}

void SampleSet::rescale(const Scale& scale) {
  for (std::size_t row = 0; row < samples_.size(); ++row) place(row, scale);
}

/// Of the nearest, among which the `places` farthest are as far as each of `as_far`: the median of those stands in each
/// of their places. `quantity(entry)` is what is asked for.
template <class Quantity>
double SampleSet::typical(std::span<const std::size_t> nearer, std::size_t places, std::span<const std::size_t> as_far,
                          Quantity quantity) const {
  std::array<double, kMaxNeighbours> numbers;
  for (std::size_t i = 0; i < as_far.size(); ++i) numbers[i] = quantity(samples_[as_far[i]]);
  const double last = middle(std::span(numbers).first(as_far.size()));
  std::fill_n(numbers.begin(), places, last);
  double sum = static_cast<double>(places) * last, least = last, most = last;
  std::size_t row_of_least = as_far.front(), row_of_most = as_far.front(), count = places;
  for (const std::size_t row : nearer) {
    const double number = numbers[count++] = quantity(samples_[row]);
    sum += number;
    if (number < least) std::tie(least, row_of_least) = std::tuple(number, row);
    if (number > most) std::tie(most, row_of_most) = std::tuple(number, row);
  }
  const bool delayed = most > kAgree * least && alike(samples_[row_of_least].features, samples_[row_of_most].features);
  return delayed ? middle(std::span(numbers).first(count)) : sum / static_cast<double>(count);
}

double SampleSet::error_of(double seconds, std::span<const std::size_t> nearer,
                           std::span<const std::size_t> as_far) const {
  const std::size_t count = nearer.size() + as_far.size();
  if (count < 2) return std::numeric_limits<double>::infinity();
  double squares = 0;
  for (const auto rows : {nearer, as_far}) {
    for (const std::size_t row : rows) squares += std::pow(samples_[row].seconds / seconds - 1, 2);
  }
  return std::sqrt(squares / static_cast<double>(count - 1));
}

std::optional<TimeEstimate> SampleSet::nearest(const Features& query, std::size_t k, const Scale& scale) const {
  const Found found = find(query, k, scale);
  if (found.count == 0) return std::nullopt;  // all of them infinitely far
  const auto end = found.distances.begin() + static_cast<std::ptrdiff_t>(found.count);
  const auto nearer =
      static_cast<std::size_t>(std::lower_bound(found.distances.begin(), end, *(end - 1)) - found.distances.begin());
  const auto rows = std::span(found.rows).first(nearer);
  const auto as_far = std::span(found.as_far).first(found.count_as_far);
  bool modelled = true;
  const std::size_t places = found.count - nearer;
  TimeEstimate estimate{.seconds = typical(rows, places, as_far, [](const Entry& sample) { return sample.seconds; }),
                        .over_model = typical(rows, places, as_far, [&](const Entry& sample) {
                          modelled = modelled && sample.modelled > 0;
                          return modelled ? sample.seconds / sample.modelled : 0;
                        })};
  if (!modelled) estimate.over_model = 0;
  estimate.error = error_of(estimate.seconds, rows, as_far);
  return estimate;
}

STARPATH_IN_EACH_WIDTH
SampleSet::Found SampleSet::find(const Features& query, std::size_t k, const Scale& scale) const {
  Found found;
  if (samples_.empty() || k == 0) return found;
  std::array<float, Features::kMaxNumeric> at{};
  for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) at[d] = scaled(query.numeric[d], scale[d]);
  const std::size_t dimensions = std::max<std::size_t>({1, dimensions_, query.numeric_count});
  const std::size_t categories = std::max<std::size_t>(categories_, query.categorical_count);

  const std::size_t blocks = columns_[0].size() / kBlock;
  thread_local std::vector<Block> distances;
  distances.resize(blocks);
  Block smallest;  // each lane's
  smallest.fill(kInfinity);
  for (std::size_t b = 0; b < blocks; ++b) {
    Block& distance = distances[b];
    const std::size_t row = b * kBlock;
    distance.fill(0);
    for (std::size_t d = 0; d < dimensions; d += kTogether) add_squares(distance, &columns_[d], &at[d], row);
    for (std::size_t c = 0; c < categories; ++c) {
      const std::int64_t* const column = category_columns_[c].data() + row;
      const std::int64_t wanted = query.categorical[c];
      for (std::size_t i = 0; i < kBlock; ++i) distance[i] += column[i] != wanted ? 1.0F : 0.0F;
    }
    for (std::size_t i = 0; i < kBlock; ++i) smallest[i] = std::min(smallest[i], distance[i]);
  }
  // Knowing beforehand how near the nearest must be leaves almost nothing to look at one by one.
  Nearest near(std::min(k, kMaxNeighbours), found);
  offer_near(distances, bound_on_kth(smallest, k), near);
  if (found.count != 0) found.count_as_far = latest_as_far(distances, found.distances[found.count - 1], found.as_far);
  return found;
}

}  // namespace starpath
