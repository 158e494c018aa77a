// Tests of the step of k-means: the reference by hand, the CPU kernel against the reference.
#include "codelets/kernels/kmeans_assign.hpp"

#include <cmath>
#include <vector>

#include "support/images.hpp"
#include "support/kmeans_points.hpp"

namespace starpath {
namespace {

using namespace support;

struct Assigned {
  std::vector<std::uint8_t> labels;
  Image<std::int64_t> sums;
};

template <class Kernel>
Assigned assigned(Kernel kernel, const Image<std::int16_t>& points, const Image<std::int16_t>& centres) {
  const auto p = points.view();
  const auto c = centres.view();
  Assigned result{std::vector<std::uint8_t>(static_cast<std::size_t>(p.height), 77),
                  Image<std::int64_t>(p.width + 2, c.height, 0, -5)};
  kernel(TestContext(), p, c, result.labels, result.sums.view());
  return result;
}

TEST(Kmeans, TheNearestCentreHasAPointAndOfTwoTheFirst) {
  const Image<std::int16_t> points{{0, 0}, {10, 0}, {4, 3}, {5, 0}}, centres{{0, 0}, {10, 0}};
  const Assigned result = assigned(reference::kmeans_assign, points, centres);
  EXPECT_EQ(result.labels, (std::vector<std::uint8_t>{0, 1, 0, 0}));
  EXPECT_EQ(result.sums.elements(), (std::vector<std::int64_t>{9, 3, 3, 25 + 25, 10, 0, 1, 0}));
}

TEST(Kmeans, ThePointsFarthestApartStillHaveADistance) {
  Image<std::int16_t> points(kMostPointNumbers, 1, 0, kPointLimit), centres(kMostPointNumbers, 1, 0, -kPointLimit);
  const auto far = std::int64_t{kMostPointNumbers} * (2 * kPointLimit) * (2 * kPointLimit);
  for (const auto kernel : {reference::kmeans_assign, cpu::kmeans_assign})
    EXPECT_EQ(assigned(kernel, points, centres).sums.at(kMostPointNumbers + 1, 0), far);
}

TEST(Kmeans, NumbersAreRoundedAndClamped) {
  EXPECT_EQ(point_number(3, 1, 2), kPointUnit);
  EXPECT_EQ(point_number(-1, 1, 2), -kPointUnit);
  EXPECT_EQ(point_number(1e300, 0, 1), kPointLimit);
  EXPECT_EQ(point_number(-1e300, 0, 1), -kPointLimit);
  EXPECT_EQ(point_number(5, 5, 0), 0);
  EXPECT_EQ(point_number(7, 5, 0), 0);
  EXPECT_EQ(point_number(std::nan(""), 5, 1), 0);
}

TEST(Kmeans, CpuAssignsAsTheReference) {
  for_awkward_sizes([](Rng& rng, int numbers, int count, int padding) {
    const int limit = random_limit(rng), k = 1 + static_cast<int>(rng() % kMostCentres);
    const auto points = random_points(rng, numbers, count, padding, limit);
    const auto centres = random_points(rng, numbers, k, padding, limit);
    const Assigned expected = assigned(reference::kmeans_assign, points, centres);
    const Assigned actual = assigned(cpu::kmeans_assign, points, centres);
    EXPECT_EQ(actual.labels, expected.labels);
    EXPECT_EQ(actual.sums.elements(), expected.sums.elements());
  });
}

}  // namespace
}  // namespace starpath
