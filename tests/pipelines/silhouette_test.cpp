// Silhouettes by hand.
#include "pipelines/clustering/silhouette.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace starpath {
namespace {

/// Of places on a line.
Distances distances_of(const std::vector<double>& places) {
  Distances distances(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) distances.set(i, j, std::abs(places[i] - places[j]));
  return distances;
}

TEST(Silhouette, OfTwoPairs) {
  const Distances distances = distances_of({0, 1, 10, 12});
  // (10.5 - 1) / 11, ... by hand
  const double expected = ((11.0 - 1) / 11 + (10.0 - 1) / 10 + (9.5 - 2) / 9.5 + (11.5 - 2) / 11.5) / 4;
  EXPECT_NEAR(silhouette(distances, std::vector{0, 0, 1, 1}, 2).mean, expected, 1e-12);
  EXPECT_LT(silhouette(distances, std::vector{0, 1, 0, 1}, 2).mean, 0);
  EXPECT_EQ(silhouette(distances, std::vector{0, 1, 2, 3}, 4).mean, 0);
}

TEST(Silhouette, OfEmptyClustersAndOneCluster) {
  const Distances distances = distances_of({0, 1, 10, 12});
  EXPECT_EQ(silhouette(distances, std::vector{0, 0, 2, 2}, 4).mean,
            silhouette(distances, std::vector{0, 0, 1, 1}, 2).mean);
  EXPECT_EQ(silhouette(distances, std::vector{0, 0, 0, 0}, 2).mean, 0);
  EXPECT_EQ(silhouette(distances_of({3, 3, 3}), std::vector{0, 0, 1}, 2).mean, 0) << "all in one place";
  EXPECT_EQ(silhouette(Distances(0), {}, 2).mean, 0);
}

TEST(Silhouette, ItsErrorIsThatOfAMean) {
  const Distances distances = distances_of({0, 1, 10});
  const double first = 9.0 / 10, second = 8.0 / 9, mean = (first + second + 0) / 3;  // the third is alone
  const double squares = std::pow(first - mean, 2) + std::pow(second - mean, 2) + std::pow(mean, 2);
  const Silhouette found = silhouette(distances, std::vector{0, 0, 1}, 2);
  EXPECT_NEAR(found.mean, mean, 1e-12);
  EXPECT_NEAR(found.standard_error, std::sqrt(squares / 3 / 2), 1e-12);
}

}  // namespace
}  // namespace starpath
