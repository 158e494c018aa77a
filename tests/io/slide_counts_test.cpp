// Counts of one slide among those of many.
#include "io/study/slide_counts.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "io/study/study_classes.hpp"
#include "io/study/study_clusters.hpp"
#include "tests/support/growth.hpp"

namespace starpath::io {
namespace {

std::vector<std::int64_t> nuclei(std::span<const ClassCount> counts) {
  std::vector<std::int64_t> nuclei;
  for (const ClassCount& each : counts) nuclei.push_back(each.nuclei);
  return nuclei;
}

TEST(SlideCounts, AreThoseOfASlideOrOfARegion) {
  const std::vector<ClassCount> counts = {
      {2, 0, 1, 10, 0}, {2, 0, 3, 11, 0}, {2, 1, 1, 12, 0}, {5, 0, 2, 13, 0}, {5, 2, 2, 14, 0}};
  using Nuclei = std::vector<std::int64_t>;
  EXPECT_EQ(nuclei(counts_of(counts, 2)), (Nuclei{10, 11, 12}));
  EXPECT_EQ(nuclei(counts_of(counts, 2, 0)), (Nuclei{10, 11}));
  EXPECT_EQ(nuclei(counts_of(counts, 2, 1)), (Nuclei{12}));
  EXPECT_EQ(nuclei(counts_of(counts, 5, 1)), Nuclei{});
  EXPECT_EQ(nuclei(counts_of(counts, 4)), Nuclei{});
  EXPECT_TRUE(counts_of(std::vector<ClusterCount>{}, 1, 0).empty());
}

TEST(SlideCounts, AreNotSearchedOneByOne) {
  const double times = starpath::test::growth(100, 25'600, [](std::size_t slides) {
    const auto counts = std::make_shared<std::vector<ClusterCount>>();
    for (std::size_t slide = 1; slide <= slides; ++slide)
      for (std::int64_t cluster = 1; cluster <= 4; ++cluster)
        counts->push_back({static_cast<std::int64_t>(slide), 0, cluster, 1});
    return [counts, slides] {
      std::size_t found = 0;
      for (std::size_t i = 0; i < 2000; ++i)
        found += counts_of(*counts, static_cast<std::int64_t>(i * 7919 % slides) + 1, 0).size();
      EXPECT_EQ(found, 8000u);
    };
  });
  EXPECT_LT(times, 64) << "of 256 times as many slides";
}

}  // namespace
}  // namespace starpath::io
