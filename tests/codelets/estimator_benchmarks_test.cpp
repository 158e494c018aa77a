// The kernels of the estimator's applications: by hand, and the CPU kernels against the reference, divided in any way.
#include "tests/support/estimator_benchmarks.hpp"

#include "codelets/benchmarks/estimator.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(HeartStep, RestStaysAtRest) {
  const Image<float> before(4, 3);
  Image<float> recovery(4, 3), next(4, 3, 5, 7.0F);
  reference::heart_step(TestContext(), {before.view(), 0, recovery.view(), next.view()});
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 4; ++x) EXPECT_EQ(next.at(x, y), 0);
}

TEST(HeartStep, APulseSpreadsAndKeepsItsCharge) {
  Image<float> before(3, 3);
  before.at(1, 1) = 1;  // a root of the reaction's cubic
  Image<float> recovery(3, 3), next(3, 3);
  reference::heart_step(TestContext(), {before.view(), 0, recovery.view(), next.view()});
  EXPECT_FLOAT_EQ(next.at(1, 1), 1 - 4 * 0.01F);
  EXPECT_FLOAT_EQ(next.at(0, 1), 0.01F);
  EXPECT_EQ(next.at(0, 0), 0);
  EXPECT_FLOAT_EQ(recovery.at(1, 1), 0.05F * 0.002F * 8 * 0.15F);
}

TEST(HeartStep, CpuEqualsReferenceToTheBitOnAnyPart) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Tissue tissue(rng, width, height, padding);
    const int first = static_cast<int>(rng() % static_cast<unsigned>(height));
    Tissue expected = tissue.part(first), actual = expected;
    reference::heart_step(TestContext(), expected.step(first));
    cpu::heart_step(TestContext(), actual.step(first));
    EXPECT_TRUE(same(expected.next, actual.next));
    EXPECT_TRUE(same(expected.recovery, actual.recovery));
  });
}

TEST(NearestNeighbours, ByHandWithATie) {
  Points points(1, 2, 4, 3);
  points.queries = {0, 0};
  points.points = {3, 0, 1, -1,  // x of each
                   0, 2, 0, 0};  // y
  reference::nearest_neighbours(TestContext(), points.search(0, 1));
  EXPECT_EQ(points.nearest, (std::vector<Neighbour>{{1, 2}, {1, 3}, {4, 1}}));
}

TEST(NearestNeighbours, CpuEqualsReferenceOnAnyPart) {
  Rng rng(5);
  for (const std::size_t count : {1, 2, 63, 64, 65, 1000})
    for (const std::size_t dimensions : {1, 3, 16}) {
      Points expected(37, dimensions, count, std::min<std::size_t>(count, 9));
      expected.fill(rng);
      Points actual = expected;
      reference::nearest_neighbours(TestContext(), expected.search(0, 37));
      for (std::size_t begin = 0; begin < 37; begin += 5)
        cpu::nearest_neighbours(TestContext(), actual.search(begin, std::min<std::size_t>(5, 37 - begin)));
      EXPECT_EQ(expected.nearest, actual.nearest) << count << " points, " << dimensions << " dimensions";
    }
}

TEST(FrequentItems, ByHand) {
  // Transactions: {0,1}, {0,1,2}, {0,2}, {1,2}
  const std::vector<std::uint64_t> items = {0b0111, 0b1011, 0b1110};
  std::vector<ItemCount> counts(3);
  reference::frequent_items(TestContext(), {items, 1, 2, 3}, 0, counts);
  EXPECT_EQ(counts[0], (ItemCount{3, 3 + 2 + 2, 4})) << "{0}, {0,1}, {0,2}; {0,1,2} was tested";
  EXPECT_EQ(counts[1], (ItemCount{2, 3 + 2, 2}));
  EXPECT_EQ(counts[2], (ItemCount{1, 3, 1}));
  reference::frequent_items(TestContext(), {items, 1, 4, 3}, 0, counts);
  EXPECT_EQ(counts[0], (ItemCount{0, 0, 1}));
}

TEST(FrequentItems, CpuEqualsReferenceOnAnyPart) {
  Rng rng(6);
  for (const std::size_t words : {1, 2, 5}) {
    const std::vector<std::uint64_t> items = random_items(rng, 23, words);
    for (const unsigned longest : {1U, 2U, 4U, 8U}) {
      const ItemSearch search{items, words, static_cast<std::uint32_t>(words * 8), longest};
      std::vector<ItemCount> expected(23), actual(23);
      reference::frequent_items(TestContext(), search, 0, expected);
      for (std::size_t begin = 0; begin < 23; begin += 4)
        cpu::frequent_items(TestContext(), search, begin,
                            std::span(actual).subspan(begin, std::min<std::size_t>(4, 23 - begin)));
      EXPECT_EQ(expected, actual) << words << " words, " << longest << " items";
      EXPECT_GT(expected[0].sets, 0U);
    }
  }
}

}  // namespace
}  // namespace starpath
