// `starpath-lab --network --engine smpi`: the nodes are StarPUs in SimGrid.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::expect_says;
using test::shell;

constexpr const char* kSmpiPair =
    "starpath --network anthill-heterogeneous --nodes gpu=1 --nodes cpu=1 --workload segmentation --set tiles=6 "
    "--engine smpi ";

#ifdef STARPATH_SMPI

int total(const nlohmann::json& counts) {
  if (counts.is_number()) return counts.get<int>();
  int sum = 0;
  for (const nlohmann::json& part : counts) sum += total(part);
  return sum;
}

nlohmann::json first_run(const std::string& command) {
  const test::Outcome outcome = shell(command + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  nlohmann::json run = nlohmann::json::parse(outcome.output)["runs"][0];
  run.erase("wall_seconds");
  return run;
}

TEST(SmpiEngine, EveryTaskRunsOnceWhereItCanUnderOurPoliciesAndStarPUs) {
  for (const char* policy : {"pats", "apex", "fcfs", "dmda", "eager"}) {
    SCOPED_TRACE(policy);
    const nlohmann::json run = first_run(std::string(kSmpiPair) + "--no-reading --policy " + policy);
    EXPECT_EQ(total(run["ran"]), 6 * 15);
    EXPECT_EQ(total(run["tiles_of_node"]), 6);
    for (const nlohmann::json& kind : run["ran"][1]) EXPECT_EQ(kind[1], 0) << "these nodes have no GPU";
    EXPECT_GT(run["makespan"].get<double>(), 0);
  }
}

TEST(SmpiEngine, RunsRepeatAndDifferWithTheSeed) {
  const std::string command = std::string(kSmpiPair) + "--no-reading --policy pats";
  const nlohmann::json first = first_run(command);
  EXPECT_EQ(first, first_run(command));
  EXPECT_NE(first["makespan"], first_run(command + " --seed 2")["makespan"]);
}

TEST(SmpiEngine, OneNodeAndFewerTilesThanNodes) {
  const std::string command =
      "starpath --network keeneland-100 --workload segmentation --set tiles=2 --engine smpi "
      "--no-reading --policy pats ";
  const nlohmann::json alone = first_run(command + "--nodes node=1");
  EXPECT_EQ(alone["tiles_of_node"], nlohmann::json({2}));
  EXPECT_LT(alone["makespan"], 100) << "it waits for nobody";
  EXPECT_EQ(total(first_run(command + "--nodes node=4")["tiles_of_node"]), 2);
}

TEST(SmpiEngine, SaysWhatItCannot) {
  expect_says(shell(std::string(kSmpiPair) + "--policy pats"), 2, {"shared file system", "--no-reading"});
  expect_says(shell(std::string(kSmpiPair) + "--no-reading --policy pats --trace"), 2, {"no --trace"});
  expect_says(shell("starpath --network anthill-heterogeneous --workload nbia --policy odds --engine smpi"), 2,
              {"streams are simulated by events only"});
  expect_says(shell(std::string(kSmpiPair) + "--no-reading --policy nobody"), 7, {"ran under", "instead of nobody"});
  expect_says(shell(std::string(kSmpiPair) + "--no-reading --policy pats --timeout 0.01"), 7, {"took longer than"});
}

#else

TEST(SmpiEngine, IsRefusedWhereItIsMissing) {
  expect_says(shell(std::string(kSmpiPair) + "--no-reading --policy pats"), 2, {"no SMPI", "--preset smpi"});
}

#endif

}  // namespace
}  // namespace starpath
