// ODDS on one machine: its choice. (Windows: dqaa_test.cpp; both together: live.simulated_app.)
#include "sched_policies/policies/odds.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/policy_simulation.hpp"
#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

TEST(Odds, SelectsOfTheCodeletInTurnWhatSuitsTheAskingClassBest) {
  QueueFixture<Odds> queue(2);
  queue.add("a1 ", {.speedups = {2, 9}, .codelet = 0});
  queue.add("a2 ", {.speedups = {6, 3}, .codelet = 0});
  queue.add("a3 ", {.speedups = {1, 1}, .codelet = 0});
  queue.add("b1 ", {.speedups = {5, 5}, .codelet = 1});
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

}  // namespace
}  // namespace starpath
