// Studies on several simulated nodes: makespans worked out by hand, and rules that hold however slides are handed out.
#include "lab/nodes/slides.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "lab/nodes/simulate.hpp"
#include "tests/lab/nodes/small.hpp"

namespace starpath::lab {
namespace {

const std::vector<HandOut> kAll = {HandOut::tiles, HandOut::slides, HandOut::largest_first};

NodesOptions fcfs(unsigned window) { return {.policy = "fcfs", .window = window}; }

// Both slides are asked for at once and open at 1. Four tiles of 3 s end at 4, 7, 10 and 13; exports take 1 s a slide.
TEST(SimulatedStudy, OneNodeAsWorkedOutByHand) {
  const NodesModel all_nodes = small_nodes(1);
  for (const HandOut hand_out : kAll) {
    StudyEnd end;
    const NodesResult result =
        simulate_study(all_nodes, equal_tiles(all_nodes, 4, 3, 0), fcfs(4), {2, 2}, hand_out, {1, 0.5}, &end);
    EXPECT_DOUBLE_EQ(result.makespan, 14);
    EXPECT_DOUBLE_EQ(end.first_idle, 13);
    EXPECT_DOUBLE_EQ(end.last_but_one_slide, 8);
    EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{4}));
  }
}

// Node 1 gets its slide at 4 (two messages to be welcomed, two to get it), node 0 at 0. Each is 10 s a tile; the
// manager hears the last word a second after.
TEST(SimulatedStudy, WholeSlidesOnTwoNodesAsWorkedOutByHand) {
  const NodesModel all_nodes = small_nodes(2);
  const NodesWork work = equal_tiles(all_nodes, 4, 10, 0);
  StudyEnd end;
  const NodesResult small_first = simulate_study(all_nodes, work, fcfs(2), {1, 3}, HandOut::slides, {}, &end);
  EXPECT_DOUBLE_EQ(small_first.makespan, 35);
  EXPECT_DOUBLE_EQ(end.first_idle, 10);
  EXPECT_EQ(small_first.tiles_of_node, (std::vector<unsigned>{1, 3}));
  const NodesResult large_first = simulate_study(all_nodes, work, fcfs(2), {1, 3}, HandOut::largest_first, {}, &end);
  EXPECT_DOUBLE_EQ(large_first.makespan, 30);
  EXPECT_DOUBLE_EQ(end.first_idle, 14);
  EXPECT_EQ(large_first.tiles_of_node, (std::vector<unsigned>{3, 1}));
}

TEST(SimulatedStudy, OfSharedTilesWithoutCostsTakesNoLongerThanOneSlide) {
  const NodesModel all_nodes = small_nodes(3);
  const NodesWork work = equal_tiles(all_nodes, 20, 7, 100);
  EXPECT_DOUBLE_EQ(simulate_study(all_nodes, work, fcfs(3), {4, 9, 7}, HandOut::tiles, {}).makespan,
                   simulate_manager_worker(all_nodes, work, fcfs(3)).makespan);
}

TEST(SimulatedStudy, EveryTileIsComputedOnceAndNoneBeforeTheBound) {
  for (const unsigned nodes : {1u, 2u, 5u, 30u}) {
    const NodesModel all_nodes = small_nodes(nodes);
    const std::vector<unsigned> tiles = draw_slides({20, 6, 0.7}, nodes);
    const unsigned all = std::accumulate(tiles.begin(), tiles.end(), 0u);
    const NodesWork work = equal_tiles(all_nodes, all, 5, 0);
    const double bound = area_bound_of(all_nodes, work, true);
    EXPECT_NEAR(bound, 5.0 * all / nodes, 1e-3);
    for (const HandOut hand_out : kAll) {
      StudyEnd end;
      const NodesResult result = simulate_study(all_nodes, work, fcfs(3), tiles, hand_out, {2, 0.1}, &end);
      EXPECT_EQ(std::accumulate(result.tiles_of_node.begin(), result.tiles_of_node.end(), 0u), all);
      EXPECT_EQ(result.ran[0][0][0], all);
      EXPECT_GE(result.makespan, bound);
      EXPECT_LE(end.first_idle, result.makespan);
      EXPECT_LE(end.last_but_one_slide, result.makespan);
      if (hand_out != HandOut::tiles) {
        const double largest = 5.0 * *std::ranges::max_element(tiles);
        EXPECT_GE(result.makespan, largest) << "a slide is computed by one node";
      }
    }
  }
}

TEST(SimulatedStudy, SizesAreDrawnAgainAndHaveTheirMedian) {
  std::vector<unsigned> tiles = draw_slides({1001, 60, 0.7}, 5);
  EXPECT_EQ(tiles, draw_slides({1001, 60, 0.7}, 5));
  EXPECT_NE(tiles, draw_slides({1001, 60, 0.7}, 6));
  std::ranges::sort(tiles);
  EXPECT_GE(tiles.front(), 1u);
  EXPECT_NEAR(tiles[500], 60, 6);
  EXPECT_NEAR(std::log(tiles[841] / 60.0), 0.7, 0.1) << "one sigma above";
  EXPECT_EQ(draw_slides({3, 2, 0}, 1), (std::vector<unsigned>{2, 2, 2}));
}

TEST(SimulatedStudy, NumbersWithoutSenseAreRefused) {
  const NodesModel all_nodes = small_nodes(1);
  const NodesWork work = equal_tiles(all_nodes, 4, 1, 0);
  for (const auto& tiles : {std::vector<unsigned>{}, {4, 0}, {5}})
    EXPECT_THROW(simulate_study(all_nodes, work, fcfs(1), tiles, HandOut::slides, {}), Error);
  EXPECT_THROW(simulate_study(all_nodes, work, fcfs(0), {4}, HandOut::slides, {}), Error);
  for (const SlideModel& model : {SlideModel{0, 60, 0.7}, {1, 0.5, 0.7}, {1, 60, -1}, {1, 60, std::nan("")}})
    EXPECT_THROW(draw_slides(model, 1), Error);
}

}  // namespace
}  // namespace starpath::lab
