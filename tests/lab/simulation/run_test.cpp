// `starpath-lab` as a user runs it: true runs in SimGrid.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sched_policies/policies/policy_table.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::expect_says;
using test::shell;

nlohmann::json json_of(const std::string& arguments) {
  const test::Outcome outcome = shell("starpath " + arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  return nlohmann::json::parse(outcome.output);
}

// Every policy, practice and exact estimates, on three classes of devices: all finish, none sees a true time, none is
// below the bound, and a second time gives the same.
TEST(Lab, EveryPolicyRunsAndRepeatsItself) {
  std::string policies = "eager,lws,heteroprio,dmda,dmdar,dmdas,modular-heft";
  std::size_t runs = 3 + 2 * 4;
  for (const PolicyInfo& policy : policy_table()) {
    policies += "," + std::string(policy.name);
    runs += policy.uses_estimates ? 2 : 1;
  }
  const std::string arguments = "--machine stampede --workload segmentation --set tiles=6 --policy " + policies;
  const nlohmann::json first = json_of(arguments), again = json_of(arguments);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first["runs"].size(), runs);
  for (const auto& run : first["runs"]) {
    EXPECT_EQ(run["finished"], 90) << run;
    EXPECT_EQ(run["truth_seen"], 0) << run;
    EXPECT_GE(run["makespan"].get<double>(), first["bound"].get<double>() * (1 - 1e-9)) << run;
    EXPECT_EQ(run["workers"], (std::vector<int>{14, 1, 1}));
  }
}

// `knn+perfmodel` asks StarPU's model once more when a task starts. With exact estimates it is told nothing new.
TEST(Lab, EstimatorsMayAskTheModelOfATaskThatStarts) {
  const nlohmann::json runs = json_of(
      "--machine keeneland --workload independent --set tasks=100 --policy apex,eft,pats --estimator exact "
      "--env STARPATH_ESTIMATOR=knn+perfmodel")["runs"];
  ASSERT_EQ(runs.size(), 3u);
  for (const auto& run : runs) EXPECT_EQ(run["truth_seen"], 0) << run;
}

// StarPU looks at addresses when it takes a task's data. Names of other lengths make another heap.
TEST(Lab, NothingDependsOnWhereThingsLie) {
  const test::TemporaryFolder folder;
  const std::string longer = folder / std::string(200, 'a') + "/" + std::string(200, 'b');
  std::filesystem::create_directories(longer);
  const std::string models = STARPATH_LAB_MODELS;
  std::filesystem::copy(models + "/machines/stampede.toml", longer);
  std::filesystem::copy(models + "/workloads/segmentation.toml", longer);
  const std::string rest = " --set tiles=40 --set window=12 --policy pats,dmda --estimator knn";
  EXPECT_EQ(json_of("--machine stampede --workload segmentation" + rest),
            json_of("--machine " + longer + "/stampede.toml --workload " + longer + "/segmentation.toml" + rest));
}

TEST(Lab, HeftIsDmda) {
  const nlohmann::json runs = json_of("--machine h100 --workload chains --set chains=4 --policy heft,dmda")["runs"];
  ASSERT_EQ(runs.size(), 4u);
  for (const auto& run : runs) EXPECT_EQ(run["policy"], "dmda");
  EXPECT_EQ(runs[0], runs[2]);
}

constexpr const char* kTree = R"(
[workload]
name = "tree"
about = "Data are split and merged again"
shape = "divide"
window = { value = 0, assumed = true }
problems = { value = 1, assumed = true }
reference_core_speed = { value = 1.0, assumed = true }
reference_gpu_bandwidth = { value = 100.0, unit = "GB/s", assumed = true }
reference_mic_bandwidth = { value = 100.0, unit = "GB/s", assumed = true }
content_spread = { value = 0, assumed = true }
device_spread = { value = 0, assumed = true }
known_spread = { value = 0, assumed = true }
)";

struct TreeTask {
  const char* name;
  double milliseconds;  ///< on a core
  double speedup;       ///< of accelerators
};

void write_tree(const std::string& file, double megabytes, unsigned depth, const std::vector<TreeTask>& tasks) {
  std::ofstream out(file);
  out << kTree << "data = { value = " << megabytes << ", unit = \"MB\", assumed = true }\n"
      << "depth = { value = " << depth << ", assumed = true }\n";
  for (const TreeTask& task : tasks)
    out << "[[task]]\nname = \"" << task.name << "\"\n"
        << "core_time = { value = " << task.milliseconds << ", unit = \"ms\", assumed = true }\n"
        << "gpu = { value = " << task.speedup << ", assumed = true }\n"
        << "mic = { value = " << task.speedup << ", assumed = true }\n"
        << "content = { value = 1, assumed = true }\n";
}

// The results of the splits have to go to main memory before a core can solve them. To pin that takes 20 ms each,
// and the thread of their GPU does nothing else meanwhile.
TEST(Lab, CoresHelpOnlyIfMainMemoryForTheirDataPays) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "tree.toml";
  write_tree(file, 32, 4, {{"split", 700, 40}, {"solve", 60, 1.4}, {"merge", 20, 2}});
  const nlohmann::json runs =
      json_of("--machine mixed --workload " + file + " --policy apex,dmda --estimator exact")["runs"];
  EXPECT_LT(runs[0]["makespan"].get<double>(), 1.1 * runs[1]["makespan"].get<double>()) << runs;
}

// For the first of such small data StarPU pins 32 MiB, which takes longer than all of the tasks do on the GPU.
TEST(Lab, CoresHelpOnlyIfMainMemoryForSmallDataPays) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "tree.toml";
  write_tree(file, 0.7, 5, {{"split", 14, 25}, {"solve", 0.9, 8}, {"merge", 3.5, 5}});
  const nlohmann::json run =
      json_of("--machine stampede --workload " + file + " --policy apex --estimator exact")["runs"][0];
  EXPECT_LT(run["makespan"].get<double>(), 0.020) << run;
}

TEST(Lab, AnotherSeedGivesOtherData) {
  const std::string arguments = "--machine keeneland --workload independent --set tasks=100 --policy fcfs --seed ";
  EXPECT_NE(json_of(arguments + "1")["runs"][0]["makespan"], json_of(arguments + "2")["runs"][0]["makespan"]);
}

// On the GPU alone computing takes 1.24 s and the copies 0.27 s each way. Synchronous codelets wait for those to the
// device; those back to main memory do not keep it from computing.
TEST(Lab, PoliciesThatDoNotPrefetchOverlapCopiesToo) {
  const std::string arguments =
      "--machine anthill --workload vector-increment --set integers=1e8 --workers 0,1 --policy eager,heteroprio,fcfs";
  const nlohmann::json runs = json_of(arguments)["runs"], slow = json_of(arguments + " --synchronous")["runs"];
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(runs[i]["makespan"].get<double>(), 1.26) << runs[i];
    EXPECT_GT(slow[i]["makespan"].get<double>(), 1.24 + 0.25) << slow[i];
    EXPECT_NEAR(runs[i]["moved_bytes"].get<double>(), 2 * 4e8, 1e6) << "to the device and back";
  }
}

// A device whose memory is too small for any task: StarPU waits for ever, SimGrid exits with 0.
TEST(Lab, ADeadlockIsAFailedRun) {
  expect_says(shell("starpath --machine anthill --workload vector-increment --set integers=1e7 --workers 0,1 "
                    "--policy eager --env STARPU_LIMIT_CUDA_MEM=1"),
              1, {"FAILED: ended before all tasks were finished", "Deadlock"});
}

/// A run under one of the faulty policies, which StarPU is told to take in the place of eager.
test::Outcome under(const std::string& policy, const std::string& options = "") {
  return shell("starpath --machine anthill --workload independent --set tasks=3 --policy eager --env STARPU_SCHED=" +
               policy + " --env STARPU_SCHED_LIB=" STARPATH_FAULTY_POLICIES " " + options);
}

TEST(Lab, WhateverGoesWrongIsAFailedRun) {
  expect_says(under("crashes"), 1, {"eager", "FAILED: killed by signal 9"});
  expect_says(under("hangs"), 1, {"FAILED: ended before all tasks were finished"});
  expect_says(under("lws"), 1, {"FAILED: ran under \"lws\" instead of eager"});
}

// A run in which time stands still, and no deadlock is seen: it is killed, however long it would go on.
TEST(Lab, AWatchdogEndsARunThatStandsStill) {
  expect_says(under("spins", "--timeout 2"), 1, {"FAILED: took longer than"});
}

TEST(Lab, ErrorsMoveWithTheEstimator) {
  const nlohmann::json out =
      json_of("--machine keeneland --workload independent --set tasks=400 --policy pats --estimator exact,error:100");
  EXPECT_LT(out["runs"][0]["makespan"].get<double>(), out["runs"][1]["makespan"].get<double>());
}

TEST(Lab, TheScheduleHoldsEveryTaskOnce) {
  const nlohmann::json out =
      json_of("--machine h100 --workload chains --set chains=5 --policy pams --estimator knn --schedule");
  const nlohmann::json& run = out["runs"][0];
  ASSERT_EQ(run["schedule"].size(), 60u);
  for (const auto& task : run["schedule"]) {
    EXPECT_LE(task[2].get<double>(), task[3].get<double>());
    EXPECT_LE(task[1].get<int>(), 15);
  }
}

// What the two share, the content of a tile, does not make a speedup wrong (anthill-2010, section 4).
TEST(Lab, SpeedupsAreEasierToPredictThanTimes) {
  const nlohmann::json out = json_of("validate --machine anthill --workload nbia-sizes --set side=0 --seeds 1,2");
  EXPECT_EQ(out["jobs"], 30);
  ASSERT_EQ(out["codelets"].size(), 1u);
  EXPECT_LT(out["codelets"][0]["speedup"], out["codelets"][0]["core_time"]);
  const nlohmann::json tiles = json_of("validate --machine keeneland --workload segmentation --seeds 1");
  EXPECT_EQ(tiles["codelets"].size(), 14u) << "all but reading, which runs on cores only";
  EXPECT_EQ(shell("starpath validate --machine anthill --workload nbia --jobs 1").code, 2);
}

TEST(Lab, WrongUsageIsOneClearLine) {
  const auto expect = [](const std::string& arguments, int code, const std::string& text) {
    test::expect_one_line(shell("starpath " + arguments), code, {text});
  };
  expect("--machine cray --workload nbia --policy pats", 2, "there is no machine 'cray': there are anthill");
  expect("--machine h100 --workload ray --policy pats", 2, "there is no workload 'ray': there are chains");
  expect("--machine h100 --workload nbia --policy best", 2, "there is no policy 'best': there are fcfs");
  expect("--machine h100 --workload nbia --policy pats --set tile=3", 2, "workload nbia has no parameter 'tile'");
  expect("--machine h100 --workload nbia --policy pats --set tiles=x", 2, "expected NAME=NUMBER");
  expect("--machine h100 --workload nbia --policy pats --estimator oracle", 2, "estimator 'oracle': expected exact");
  expect("--machine h100 --workload nbia --policy pats --workers 99,1", 2, "has 15 cores that compute");
  expect("--machine h100", 2, "--machine, --workload and --policy are needed");
}

TEST(Lab, AMalformedFileGetsFileLineAndReason) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "machine.toml";
  std::ofstream(file) << "[machine]\nname = 'bad'\nabout = 'nothing'\ncores = { value = 'many', assumed = true }\n";
  const test::Outcome machine = shell("starpath --machine " + file + " --workload nbia --policy pats");
  EXPECT_EQ(machine.code, 3);
  EXPECT_EQ(machine.output, "starpath-lab: " + file + ":4: 'cores' is 'many': expected a number from 1 to 1024\n");
  const std::string other = folder / "workload.toml";
  std::ofstream(other) << "[workload]\nname = 'bad'\nabout = 'nothing'\nshape = 'nbia'\ntiles = 3\n";
  const test::Outcome workload = shell("starpath --machine h100 --workload " + other + " --policy pats");
  EXPECT_EQ(workload.code, 3);
  EXPECT_EQ(workload.output, "starpath-lab: " + other +
                                 ":5: 'tiles' does not say where the number is from: write tiles = { value = 3, "
                                 "source = \"...\" }, or assumed = \"...\"\n");
}

}  // namespace
}  // namespace starpath
