// Every arrangement, or some drawn ones.
#include "statistics/permutation_test.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/pure/random.hpp"

namespace starpath {
namespace {

constexpr double kRounding = 1e-9;

std::vector<std::int64_t> sizes_of(std::span<const int> labels) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(*std::ranges::max_element(labels)) + 1);
  for (const int label : labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

/// In how many ways labels of these sizes can be dealt; more than a double holds is infinite.
double arrangements_of(const std::vector<std::int64_t>& sizes) {
  double count = 1;
  std::int64_t dealt = 0;
  for (const std::int64_t size : sizes)
    for (std::int64_t i = 1; i <= size; ++i) count = count * static_cast<double>(++dealt) / static_cast<double>(i);
  return count;
}

/// Pearson's statistic for labels whose sums stay as they are.
class ChiSquare {
 public:
  ChiSquare(std::span<const int> rows, std::span<const int> columns)
      : rows_(rows), row_sizes_(sizes_of(rows)), column_sizes_(sizes_of(columns)) {
    counts_.resize(row_sizes_.size() * column_sizes_.size());
  }

  double of(std::span<const int> columns) {
    std::ranges::fill(counts_, 0);
    for (std::size_t i = 0; i < columns.size(); ++i)
      ++counts_[static_cast<std::size_t>(rows_[i]) * column_sizes_.size() + static_cast<std::size_t>(columns[i])];
    const auto all = static_cast<double>(columns.size());
    double sum = 0;
    for (std::size_t r = 0; r < row_sizes_.size(); ++r)
      for (std::size_t c = 0; c < column_sizes_.size(); ++c) {
        const auto seen = static_cast<double>(counts_[r * column_sizes_.size() + c]);
        sum += seen * seen / (static_cast<double>(row_sizes_[r]) * static_cast<double>(column_sizes_[c]));
      }
    return all * (sum - 1);
  }

 private:
  std::span<const int> rows_;
  std::vector<std::int64_t> row_sizes_, column_sizes_, counts_;
};

void shuffle(std::vector<int>& labels, SplitMix64& random) {
  for (std::size_t i = labels.size(); i > 1; --i)
    std::swap(labels[i - 1], labels[static_cast<std::size_t>(random.uniform() * static_cast<double>(i))]);
}

std::vector<double> statistics_of(ChiSquare& chi_square, std::span<const int> columns, bool every,
                                  std::int64_t permutations, std::uint64_t seed) {
  std::vector<int> labels(columns.begin(), columns.end());
  std::vector<double> statistics;
  if (every) {
    std::ranges::sort(labels);
    do statistics.push_back(chi_square.of(labels));
    while (std::ranges::next_permutation(labels).found);
    return statistics;
  }
  SplitMix64 random(seed);
  for (std::int64_t i = 0; i < permutations; ++i) {
    shuffle(labels, random);
    statistics.push_back(chi_square.of(labels));
  }
  return statistics;
}

}  // namespace

PermutationTest test_independence(std::span<const int> rows, std::span<const int> columns, std::int64_t permutations,
                                  std::uint64_t seed) {
  ChiSquare chi_square(rows, columns);
  PermutationTest test;
  test.chi_square = chi_square.of(columns);
  test.every = arrangements_of(sizes_of(columns)) <= static_cast<double>(permutations);
  const std::vector<double> compared = statistics_of(chi_square, columns, test.every, permutations, seed);
  test.arrangements = static_cast<std::int64_t>(compared.size());
  const auto p_of = [&](double statistic) {
    const double least = statistic - kRounding * (statistic + 1);
    const auto as_large = std::ranges::count_if(compared, [&](double each) { return each >= least; });
    const int seen = test.every ? 0 : 1;
    return static_cast<double>(as_large + seen) / static_cast<double>(test.arrangements + seen);
  };
  test.p = p_of(test.chi_square);
  test.least_p = p_of(std::max(test.chi_square, *std::ranges::max_element(compared)));
  return test;
}

}  // namespace starpath
