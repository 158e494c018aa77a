// Trees against the definition of their linkage, computed anew at each merge, and against trees made by hand.
#include "statistics/linkage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/pure/random.hpp"

namespace starpath {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows random_rows(std::size_t count, std::size_t columns, std::uint64_t seed) {
  SplitMix64 random(seed);
  Rows rows(count, std::vector<double>(columns));
  for (auto& row : rows)
    for (double& value : row) value = random.uniform();
  return rows;
}

std::vector<std::size_t> leaves_of(std::size_t node, std::size_t count, const std::vector<Merge>& merges) {
  if (node < count) return {node};
  auto leaves = leaves_of(merges[node - count].first, count, merges);
  const auto others = leaves_of(merges[node - count].second, count, merges);
  leaves.insert(leaves.end(), others.begin(), others.end());
  return leaves;
}

double mean_distance(const Rows& rows, const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  const Distances distances = euclidean_distances(rows);
  double sum = 0;
  for (const std::size_t i : a)
    for (const std::size_t j : b) sum += distances(i, j);
  return sum / static_cast<double>(a.size() * b.size());
}

double squares_within(const Rows& rows, const std::vector<std::size_t>& leaves) {
  double sum = 0;
  for (std::size_t c = 0; c < rows[0].size(); ++c) {
    double mean = 0;
    for (const std::size_t i : leaves) mean += rows[i][c] / static_cast<double>(leaves.size());
    for (const std::size_t i : leaves) sum += (rows[i][c] - mean) * (rows[i][c] - mean);
  }
  return sum;
}

/// Ward's distance: the root of twice what the union adds to the squared distances from centres.
double ward_distance(const Rows& rows, const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  const double apart = squares_within(rows, a) + squares_within(rows, b);
  std::vector<std::size_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return std::sqrt(2 * std::max(0.0, squares_within(rows, both) - apart));
}

class Link : public testing::TestWithParam<Linkage> {};

TEST_P(Link, EachMergeIsOfTheNearestTwo) {
  const Rows rows = random_rows(24, 3, 5);
  const auto distance = GetParam() == Linkage::ward ? ward_distance : mean_distance;
  const auto merges = link(euclidean_distances(rows), GetParam());
  ASSERT_EQ(merges.size(), 23u);
  std::vector<std::size_t> nodes(24);
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  for (std::size_t m = 0; m < merges.size(); ++m) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t a : nodes)
      for (const std::size_t b : nodes)
        if (a < b) least = std::min(least, distance(rows, leaves_of(a, 24, merges), leaves_of(b, 24, merges)));
    const auto a = leaves_of(merges[m].first, 24, merges), b = leaves_of(merges[m].second, 24, merges);
    EXPECT_NEAR(distance(rows, a, b), least, 1e-9);
    EXPECT_NEAR(merges[m].height, least, 1e-9);
    EXPECT_EQ(merges[m].leaves, a.size() + b.size());
    EXPECT_LT(*std::min_element(a.begin(), a.end()), *std::min_element(b.begin(), b.end()));
    std::erase(nodes, merges[m].first);
    std::erase(nodes, merges[m].second);
    nodes.push_back(24 + m);
  }
}

TEST_P(Link, OfEquallyNearPairsTheFirstMerges) {
  // The corners of a square, twice.
  const Rows rows = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const auto merges = link(euclidean_distances(rows), GetParam());
  const std::vector<std::pair<std::size_t, std::size_t>> expected = {{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, 9}, {10, 11}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(merges[i].first, expected[i].first) << i;
    EXPECT_EQ(merges[i].second, expected[i].second) << i;
  }
}

TEST_P(Link, OfNoneAndOneThereIsNoMerge) {
  EXPECT_TRUE(link(Distances(0), GetParam()).empty());
  EXPECT_TRUE(link(Distances(1), GetParam()).empty());
  EXPECT_TRUE(leaf_order(0, {}).empty());
  EXPECT_EQ(leaf_order(1, {}), std::vector<std::size_t>{0});
  EXPECT_EQ(cut(1, {}, 1), std::vector<int>{0});
}

INSTANTIATE_TEST_SUITE_P(, Link, testing::Values(Linkage::ward, Linkage::average),
                         [](const auto& each) { return each.param == Linkage::ward ? "Ward" : "Average"; });

TEST(Cut, NumbersBranchesInTheOrderOfLeaves) {
  const Rows rows = {{0}, {10}, {0.1}, {10.2}, {6}};
  const auto merges = link(euclidean_distances(rows), Linkage::average);
  EXPECT_EQ(leaf_order(5, merges), (std::vector<std::size_t>{0, 2, 1, 3, 4}));
  EXPECT_EQ(cut(5, merges, 1), (std::vector<int>{0, 0, 0, 0, 0}));
  EXPECT_EQ(cut(5, merges, 3), (std::vector<int>{0, 1, 0, 1, 2}));
  EXPECT_EQ(cut(5, merges, 5), (std::vector<int>{0, 2, 1, 3, 4}));
}

TEST(Cut, KeepsBranchesTogetherInTheOrder) {
  const Rows rows = random_rows(60, 4, 9);
  const auto merges = link(euclidean_distances(rows), Linkage::ward);
  const auto order = leaf_order(60, merges);
  for (std::size_t k = 1; k <= 60; ++k) {
    const auto branches = cut(60, merges, k);
    int last = 0;
    for (const std::size_t leaf : order) {
      EXPECT_TRUE(branches[leaf] == last || branches[leaf] == last + 1);
      last = branches[leaf];
    }
    EXPECT_EQ(last + 1, static_cast<int>(k));
  }
}

}  // namespace
}  // namespace starpath
