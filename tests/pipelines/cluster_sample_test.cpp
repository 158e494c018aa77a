// k-means of a sample: clusters that are there, and how many.
#include <gtest/gtest.h>

#include <set>

#include "tests/pipelines/clustering_points.hpp"

namespace starpath {
namespace {

using test::around_centres;

TEST(ClusterSample, FindsTheClustersThatAreThere) {
  const Points points = around_centres(4, 2000, 8);
  const SampleClusters found = cluster_sample(points, 4, 1);
  std::set<int> nearest;
  for (std::size_t own = 0; own < 4; ++own) {
    int best = 0;
    for (int c = 1; c < 4; ++c)
      if (squared_distance(points.row(own), found.centres.row(static_cast<std::size_t>(c)), 8) <
          squared_distance(points.row(own), found.centres.row(static_cast<std::size_t>(best)), 8))
        best = c;
    nearest.insert(best);
  }
  EXPECT_EQ(nearest.size(), 4u);
  EXPECT_GT(found.silhouette.mean, 0.7);
  for (const int k : {2, 3, 5, 6}) EXPECT_LT(cluster_sample(points, k, 1).silhouette.mean, found.silhouette.mean) << k;
}

TEST(ClusterSample, DependsOnTheSeedAlone) {
  const Points points = around_centres(3, 500, 5);
  EXPECT_EQ(cluster_sample(points, 6, 9).centres, cluster_sample(points, 6, 9).centres);
  EXPECT_NE(cluster_sample(points, 6, 9).centres, cluster_sample(points, 6, 10).centres);
}

TEST(ClusterSample, FindsManyClustersWithAnySeed) {
  SplitMix64 random(11);
  const auto below = [&](int end) { return static_cast<int>(random.next() % static_cast<unsigned>(end)); };
  Points planted{16, {}}, points{16, {}};
  for (int i = 0; i < 12 * 16; ++i) planted.values.push_back(static_cast<std::int16_t>(below(1000) - 500));
  for (std::size_t p = 0; p < 1200; ++p)
    for (int i = 0; i < 16; ++i)
      points.values.push_back(static_cast<std::int16_t>(planted.row(p % 12)[i] + below(200) - 100));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const double nearest = static_cast<double>(cluster_sample(points, 12, seed).spread) / (1200.0 * 16);
    EXPECT_LT(nearest, 3400) << seed;  // mean square of a number from -100 to 99: 3,333
  }
}

TEST(ClusterSample, AHandfulOfOutliersIsNoCluster) {
  SplitMix64 random(3);
  Points points{8, {}};
  for (int p = 0; p < 2000; ++p)
    for (int i = 0; i < 8; ++i) {
      const int value = (i % 4 == p % 4 ? 700 : 0) + static_cast<int>(random.next() % 400) - 200;
      const bool outlier = p < 80 && p % 4 == 0;
      points.values.push_back(static_cast<std::int16_t>(outlier ? value * 5 / 2 : value));
    }
  std::vector<SampleClusters> tried;
  for (int k = 2; k <= 8; ++k) tried.push_back(cluster_sample(points, k, 1));
  ASSERT_GT(tried[3].silhouette.mean, tried[2].silhouette.mean) << "five, one of them of outliers, have the highest";
  EXPECT_EQ(choose_fewest(tried).centres.count(), 4u);
}

TEST(ClusterSample, TheFewestAreWithinThreeStandardErrors) {
  std::vector<SampleClusters> tried(4);
  for (const auto& [i, silhouette] : {std::pair{0, 0.30}, {1, 0.42}, {2, 0.38}, {3, 0.428}})
    tried[static_cast<std::size_t>(i)].silhouette = {silhouette, 0.003};
  EXPECT_EQ(&choose_fewest(tried), &tried[1]);
  tried[3].silhouette.mean = 0.43;
  EXPECT_EQ(&choose_fewest(tried), &tried[3]);
}

TEST(ClusterSample, TakesPointsThatAreAllEqual) {
  const Points points{2, {5, 6, 5, 6, 5, 6}};
  const SampleClusters found = cluster_sample(points, 3, 1);
  EXPECT_EQ(found.centres, points);
  EXPECT_EQ(found.spread, 0);
}

TEST(CentreSums, RoundToTheNearestAndKeepEmptyCentres) {
  CentreSums sums(3, 1);
  sums.add(std::vector<std::int64_t>{7, 2, 0, -7, 2, 0, 0, 0, 0});
  EXPECT_EQ(sums.means({1, {0, 0, 9}}), (Points{1, {4, -4, 9}}));
  EXPECT_EQ(order_by_size({1, {4, -4, 9}}, sums), (std::vector<int>{1, 0, 2}));
}

}  // namespace
}  // namespace starpath
