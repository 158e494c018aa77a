// Which tasks wait for which, shape by shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/lab/models.hpp"

namespace starpath::lab {
namespace {

/// A workload of that shape with three kinds of task.
Workload drawn(const std::string& shape, const std::vector<std::string>& kinds, const std::string& parameters) {
  std::string text =
      "[workload]\nname = 'w'\nabout = 'x'\nshape = '" + shape + "'\ndata = {value = 1, unit = 'MB', assumed = true}\n";
  const auto bare = [](const std::string& key, const std::string& value) {
    return key + " = {value = " + value + ", assumed = true}\n";
  };
  std::istringstream list(parameters +
                          " window=0 reference_core_speed=1 content_spread=0 device_spread=0 known_spread=0");
  for (std::string entry; list >> entry;)
    text += bare(entry.substr(0, entry.find('=')), entry.substr(entry.find('=') + 1));
  for (const char* kind : {"gpu", "mic"})
    text += std::string("reference_") + kind + "_bandwidth = {value = 100, unit = 'GB/s', assumed = true}\n";
  for (const std::string& kind : kinds)
    text += "[[task]]\nname = '" + kind + "'\ncore_time = {value = 1, unit = 'ms', assumed = true}\n" +
            bare("gpu", "2") + bare("mic", "2");
  return make_workload(read_workload(ModelFile("w.toml", text)), machine("keeneland"), 1);
}

std::size_t longest_chain(const Workload& tasks) {
  std::vector<std::size_t> length;
  for (const auto& before : dependencies(tasks)) {
    std::size_t most = 0;
    for (const unsigned task : before) most = std::max(most, length[task]);
    length.push_back(most + 1);
  }
  return *std::ranges::max_element(length);
}

TEST(WorkloadShapes, LayersReadTheLayerBefore) {
  const Workload tasks = drawn("layered", {"first", "second", "third"}, "layers=5 width=8 reads=3");
  ASSERT_EQ(tasks.tasks.size(), 40U);
  EXPECT_EQ(longest_chain(tasks), 5U);
  const auto after = dependencies(tasks);
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_LE(after[i].size(), 3U);
    EXPECT_EQ(after[i].empty(), i < 8);
    for (const unsigned before : after[i]) EXPECT_EQ(before / 8, i / 8 - 1);
  }
}

TEST(WorkloadShapes, ForkJoinIsOneThenManyThenATree) {
  const Workload tasks = drawn("fork-join", {"serial", "parallel", "join"}, "phases=3 width=20");
  // A join reads 6: 20 parts take 4 joins and one that joins these.
  ASSERT_EQ(tasks.tasks.size(), 3U * (1 + 20 + 4 + 1));
  EXPECT_EQ(longest_chain(tasks), 3U * 4);
  for (const WorkTask& task : tasks.tasks) EXPECT_LE(task.data.size(), 8U) << "StarPU's limit";
}

TEST(WorkloadShapes, ReductionsCombineTwoByTwo) {
  const Workload tasks = drawn("reduction", {"leaf", "combine", "top"}, "trees=2 leaves=11");
  ASSERT_EQ(tasks.tasks.size(), 2U * (11 + 10));
  EXPECT_EQ(longest_chain(tasks), 1U + 4);
  EXPECT_EQ(std::ranges::count(tasks.tasks, 2U, &WorkTask::kind), 2) << "one top a tree";
}

TEST(WorkloadShapes, GatheringsEndInOneTask) {
  const Workload tasks = drawn("gather", {"load", "gather", "last"}, "ends=2 inputs=11 fan=3");
  // 11 pieces become 4, then 2, then 1.
  ASSERT_EQ(tasks.tasks.size(), 2U * (11 + 4 + 2 + 1));
  EXPECT_EQ(longest_chain(tasks), 1U + 3);
  EXPECT_EQ(std::ranges::count(tasks.tasks, 2U, &WorkTask::kind), 2) << "one last a gathering";
}

TEST(WorkloadShapes, AStencilWaitsForItsNeighbours) {
  const Workload tasks = drawn("stencil", {"border", "black", "white"}, "side=4 steps=3");
  ASSERT_EQ(tasks.tasks.size(), 48U);
  EXPECT_EQ(std::ranges::count(tasks.tasks, 0U, &WorkTask::kind), 3 * 12);
  for (const WorkTask& task : tasks.tasks) EXPECT_LE(task.data.size(), 5U);
  EXPECT_TRUE(dependencies(tasks)[0].empty());
  EXPECT_FALSE(dependencies(tasks)[16].empty()) << "the next step waits for the one before";
}

TEST(WorkloadShapes, DivideAndConquerSplitsSolvesAndMerges) {
  const Workload tasks = drawn("divide", {"split", "solve", "merge"}, "problems=2 depth=3");
  ASSERT_EQ(tasks.tasks.size(), 2U * (7 + 8 + 7));
  EXPECT_EQ(longest_chain(tasks), 3U + 1 + 3);
  EXPECT_EQ(std::ranges::count(tasks.tasks, 1U, &WorkTask::kind), 2 * 8);
}

TEST(WorkloadShapes, AWavefrontCrossesTheGridFromCornerToCorner) {
  const Workload tasks = drawn("wavefront", {"first", "black", "white"}, "side=4 sweeps=1");
  ASSERT_EQ(tasks.tasks.size(), 16U);
  EXPECT_EQ(longest_chain(tasks), 7U);
  EXPECT_EQ(std::ranges::count(tasks.tasks, 0U, &WorkTask::kind), 7);
}

}  // namespace
}  // namespace starpath::lab
