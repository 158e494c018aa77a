// Slides shared out to processes, and the nuclei that stand for a cluster.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "pipelines/study_clusters/share_out.hpp"
#include "pipelines/study_clusters/typical_nuclei.hpp"

namespace starpath {
namespace {

TEST(ShareOut, GivesEachSlideToOneByNucleiAndWeights) {
  using Shares = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(share_out({5, 9, 4, 2}, {1, 1}), (Shares{{1, 3}, {0, 2}}));
  EXPECT_EQ(share_out({5, 9, 4, 2}, {1, 3}), (Shares{{2}, {0, 1, 3}}));
  EXPECT_EQ(share_out({5, 0}, {1, 1, 1}), (Shares{{0}, {1}, {}}));
  EXPECT_EQ(share_out({}, {2, 2}), (Shares{{}, {}}));
}

TEST(TypicalNuclei, AreTheNearestInWhateverOrderTheyCome) {
  std::vector<std::pair<std::uint32_t, std::int64_t>> nuclei = {{1, 1}, {1, 3}, {5, 0}, {5, 4}, {7, 5}, {9, 2}};
  do {
    TypicalNuclei typical(2, 3);
    for (const auto& [distance, number] : nuclei) typical.add(1, distance, number);
    EXPECT_EQ(typical.chosen(), (std::vector<std::vector<std::int64_t>>{{}, {1, 3, 0}}));
  } while (std::ranges::next_permutation(nuclei).found);
}

}  // namespace
}  // namespace starpath
