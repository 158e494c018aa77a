// Votes of nearest samples: the reference by hand, the CPU kernel against the reference.
#include "codelets/kernels/nearest_classes.hpp"

#include <algorithm>
#include <vector>

#include "support/images.hpp"
#include "support/kmeans_points.hpp"

namespace starpath {
namespace {

using namespace support;

template <class Kernel>
std::vector<ClassVote> votes_of(Kernel kernel, const Image<std::int16_t>& points, const Image<std::int16_t>& samples,
                                const std::vector<std::uint8_t>& labels, int k) {
  std::vector<ClassVote> votes(static_cast<std::size_t>(points.height()), ClassVote{99, 99, 99});
  kernel(TestContext(), points.view(), samples.view(), labels, votes, k);
  return votes;
}

constexpr int kOne = kPointUnit;  // a deviation

TEST(NearestClasses, TheNearestVoteByTheirWeight) {
  const Image<std::int16_t> points{{0, 0}}, samples{{0, kOne}, {2 * kOne, 0}, {0, -2 * kOne}, {0, 7 * kOne}};
  // Weights 1/2, 1/5, 1/5: two of class 3 are less than one of class 1.
  for (const auto kernel : {reference::nearest_classes, cpu::nearest_classes}) {
    const ClassVote vote = votes_of(kernel, points, samples, {1, 3, 3, 0}, 3).at(0);
    EXPECT_EQ(vote.label, 1);
    EXPECT_NEAR(vote.share, kVoteUnit * 0.5 / 0.9, 1);
    EXPECT_EQ(vote.distance, 3u * kOne * kOne);
    EXPECT_EQ(votes_of(kernel, points, samples, {1, 3, 3, 0}, 1).at(0), (ClassVote{1, kVoteUnit, kOne * kOne}));
  }
}

TEST(NearestClasses, OfEqualOnesTheFirst) {
  const Image<std::int16_t> points{{0}}, samples{{5}, {-5}, {5}};
  for (const auto kernel : {reference::nearest_classes, cpu::nearest_classes}) {
    EXPECT_EQ(votes_of(kernel, points, samples, {2, 1, 0}, 1).at(0).label, 2) << "samples";
    EXPECT_EQ(votes_of(kernel, points, samples, {2, 1, 0}, 2).at(0).label, 1) << "classes";
  }
}

TEST(NearestClasses, PointsFarthestApartStillHaveADistance) {
  const Image<std::int16_t> points(kMostPointNumbers, 1, 0, kPointLimit), sample(kMostPointNumbers, 1, 0, -kPointLimit);
  constexpr std::uint32_t far = std::uint32_t{kMostPointNumbers} * (2 * kPointLimit) * (2 * kPointLimit);
  for (const auto kernel : {reference::nearest_classes, cpu::nearest_classes})
    EXPECT_EQ(votes_of(kernel, points, sample, {7}, 1).at(0), (ClassVote{7, kVoteUnit, far}));
}

TEST(NearestClasses, KeysAreTheSmallestInWhateverOrderTheyCome) {
  std::vector<std::uint64_t> keys = {sample_key(7, 1), sample_key(7, 0), sample_key(0, 9), sample_key(UINT32_MAX, 2)};
  std::ranges::sort(keys);
  const std::vector<std::uint64_t> sorted = keys;
  do {
    NearestKeys<8> nearest(3);
    for (const std::uint64_t key : keys) nearest.add(key);
    ASSERT_EQ(nearest.count(), 3);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(nearest[i], sorted[static_cast<std::size_t>(i)]);
  } while (std::ranges::next_permutation(keys).found);
}

TEST(NearestClasses, CpuVotesAsTheReference) {
  for_awkward_sizes([](Rng& rng, int numbers, int count, int padding) {
    const int limit = random_limit(rng), k = 1 + static_cast<int>(rng() % kMostNeighbours);
    const int sample_count = k + static_cast<int>(rng() % 50);
    const auto points = random_points(rng, numbers, count, padding, limit);
    const auto samples = random_points(rng, numbers, sample_count, padding, limit);
    const auto labels = random_labels(rng, sample_count);
    EXPECT_EQ(votes_of(cpu::nearest_classes, points, samples, labels, k),
              votes_of(reference::nearest_classes, points, samples, labels, k));
  });
}

}  // namespace
}  // namespace starpath
