// The choice of cores: against every possible choice on small machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "sched_policies/topology/choose_cores.hpp"

namespace starpath {
namespace {

using Chosen = std::vector<std::optional<std::size_t>>;

TEST(Placement, NamesGoThereAndBack) {
  for (const auto placement : {Placement::closest, Placement::os, Placement::worst})
    EXPECT_EQ(parse_placement(name_of(placement)), placement);
  for (const char* bad : {"", "near", "CLOSEST", "closest "}) EXPECT_EQ(parse_placement(bad), std::nullopt) << bad;
}

TEST(Placement, DistanceCountsBoundaries) {
  EXPECT_EQ(distance({0, 0}, {0, 0}), 0U);
  EXPECT_EQ(distance({1, 0}, {0, 0}), 1U);
  EXPECT_EQ(distance({1, 1}, {0, 0}), 2U);
  EXPECT_EQ(distance({1, 1}, {std::nullopt, 0}), 1U);  // a GPU at a whole package
  EXPECT_EQ(distance({1, 1}, {}), 0U);                 // a GPU of unknown place
}

TEST(Placement, AGpuThatFitsAnywhereLeavesTheOnlyNearCoreToAnother) {
  EXPECT_EQ(choose_cores({{}, {0, 0}}, {{0, 0}, {1, 1}}, Placement::closest), (Chosen{1, 0}));
}

TEST(Placement, WithTooFewCoresTheLastGpusGoWithout) {
  EXPECT_EQ(choose_cores({{0, 0}, {1, 1}, {0, 0}}, {{0, 0}, {0, 0}}, Placement::closest), (Chosen{0, 1, std::nullopt}));
  EXPECT_EQ(choose_cores({{0, 0}}, {}, Placement::closest), Chosen(1));
  EXPECT_TRUE(choose_cores({}, {{0, 0}}, Placement::worst).empty());
}

TEST(Placement, OsChoosesNothing) {
  EXPECT_EQ(choose_cores({{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}, Placement::os), Chosen(2));
}

/// Least (or, for worst, largest) sum of distances over every way to give each GPU a core of its own.
unsigned best_sum(const std::vector<Location>& gpus, const std::vector<Location>& cores, Placement placement) {
  std::vector<std::size_t> order(cores.size());
  std::iota(order.begin(), order.end(), 0);
  std::optional<unsigned> best;
  do {
    unsigned sum = 0;
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) sum += distance(cores[order[gpu]], gpus[gpu]);
    if (!best || (placement == Placement::worst ? sum > *best : sum < *best)) best = sum;
  } while (std::ranges::next_permutation(order).found);
  return *best;
}

TEST(Placement, IsOptimalOnRandomMachines) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto place = [&]() -> Location {
      const unsigned node = random() % 4;
      return {node, node / 2};
    };
    std::vector<Location> gpus(random() % 4 + 1), cores(gpus.size() + random() % 3);
    for (Location& core : cores) core = place();
    for (Location& gpu : gpus) {
      gpu = place();
      if (random() % 4 == 0) gpu.numa_node.reset();
      if (random() % 8 == 0) gpu = {};
    }
    for (const auto placement : {Placement::closest, Placement::worst}) {
      const Chosen chosen = choose_cores(gpus, cores, placement);
      std::set<std::size_t> taken;
      unsigned sum = 0;
      for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
        ASSERT_TRUE(chosen[gpu].has_value());
        EXPECT_TRUE(taken.insert(*chosen[gpu]).second) << "core " << *chosen[gpu] << " was taken twice";
        sum += distance(cores[*chosen[gpu]], gpus[gpu]);
      }
      EXPECT_EQ(sum, best_sum(gpus, cores, placement)) << name_of(placement);
    }
  }
}

}  // namespace
}  // namespace starpath
