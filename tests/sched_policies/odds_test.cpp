// ODDS on one machine: its choice and its windows.
#include "sched_policies/core/odds.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

TEST(Odds, SelectsOfTheStreamInTurnWhatSuitsTheAskingClassBest) {
  QueueFixture<Odds> queue(2);
  queue.add("a1 ", {.speedups = {2, 9}, .stream = 0});
  queue.add("a2 ", {.speedups = {6, 3}, .stream = 0});
  queue.add("a3 ", {.speedups = {1, 1}, .stream = 0});
  queue.add("b1 ", {.speedups = {5, 5}, .stream = 1});
  EXPECT_EQ(queue.pop(2), "a1 ");
  EXPECT_EQ(queue.pop(1), "b1 ");
  EXPECT_EQ(queue.pop(0), "a3 ");
  EXPECT_EQ(queue.pop(1), "a2 ");
}

TEST(Odds, ChoosesAsDdwrrInRandomDags) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const Machine machine = des::machine(3, {2, 1});
    const des::Dag dag = des::random_dag(machine, {}, random);
    const des::Result result = des::simulate<Odds>(machine, dag);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.order, des::simulate<Ddwrr>(machine, dag).order);
  }
}

TEST(Odds, EachWorkerHasItsOwnWindow) {
  const Machine machine = des::machine(1, {2});
  const EligibilityTable eligibility(machine);
  Odds odds({machine, eligibility}, 3);
  for (const WorkerId worker : {0U, 1U, 2U}) EXPECT_EQ(odds.window(worker), 1U);
  odds.answered(1, 4);
  for (int i = 0; i < 5; ++i) odds.processed(1, 1);
  odds.answered(2, 4);
  odds.processed(2, 8);
  odds.processed(0, 1);
  EXPECT_EQ(odds.window(1), 3U);  // 4 wanted, 3 allowed
  EXPECT_EQ(odds.window(2), 1U);
  EXPECT_EQ(odds.window(0), 1U);
}

}  // namespace
}  // namespace starpath
