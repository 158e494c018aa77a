// Simulated clusters: makespans worked out by hand, and rules that hold under every policy.
#include "lab/cluster/simulate.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "tests/lab/cluster/small.hpp"
#include "tests/lab/models.hpp"

namespace starpath::lab {
namespace {

ClusterOptions options(std::string policy, unsigned window) { return {.policy = std::move(policy), .window = window}; }

TEST(ManagerWorker, OneNodeHasNobodyToWaitFor) {
  const ClusterModel cluster = small_cluster(1);
  const ClusterResult result = simulate_manager_worker(cluster, equal_tiles(cluster, 3, 2, 0), options("fcfs", 2));
  EXPECT_DOUBLE_EQ(result.makespan, 6);
  EXPECT_DOUBLE_EQ(result.busy[0][0], 6);
  EXPECT_EQ(result.messages, 0u);
}

// Node 1 says hello (heard at 1), is welcomed (2), asks (3), and gets its tiles at 4. With a window of one the manager
// hears of the first at 15, and the second runs from 16 to 26; with a window of two it has both, its fair share, and
// runs them from 4 to 24. Node 0 runs two tiles from 0 to 20. The manager hears the last word a second after.
TEST(ManagerWorker, TwoNodesAsWorkedOutByHand) {
  const ClusterModel cluster = small_cluster(2);
  for (const unsigned window : {1u, 2u}) {
    const ClusterResult result =
        simulate_manager_worker(cluster, equal_tiles(cluster, 4, 10, 0), options("fcfs", window));
    EXPECT_DOUBLE_EQ(result.makespan, window == 1 ? 27 : 25) << window;
    EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{2, 2})) << window;
  }
}

// A core waits for 100 bytes: the disks have sent them at 0.5, the first arrives at 1, the link is through at 2; then
// it computes for 3 s.
TEST(ManagerWorker, ReadingTakesTheFileSystemAndTheLink) {
  const ClusterModel cluster = small_cluster(1);
  const ClusterWork work = equal_tiles(cluster, 1, 3, 100, "read", AccessMode::write);
  ClusterOptions with = options("fcfs", 1), without = with;
  without.reading = false;
  EXPECT_DOUBLE_EQ(simulate_manager_worker(cluster, work, with).makespan, 5);
  EXPECT_DOUBLE_EQ(simulate_manager_worker(cluster, work, without).makespan, 0);
}

// Copies take 2 s each, tasks 3 s: the second copy passes while the first task runs.
TEST(ManagerWorker, AcceleratorsCopyAhead) {
  const ClusterModel cluster = small_cluster(1, one_accelerator());
  const ClusterResult result = simulate_manager_worker(cluster, equal_tiles(cluster, 2, 3, 200), options("fcfs", 2));
  EXPECT_DOUBLE_EQ(result.makespan, 8);
  EXPECT_EQ(result.ran[0][0], (std::vector<unsigned>{0, 2}));
}

// The same without overlap: 2 s of copies and 3 s of computing, twice.
TEST(ManagerWorker, AcceleratorsThatCopyBetweenTasks) {
  const ClusterModel cluster = small_cluster(1, one_accelerator());
  ClusterOptions around = options("fcfs", 2), kept = around;
  around.copies = Copies::around;
  kept.copies = Copies::kept;
  const ClusterWork work = equal_tiles(cluster, 2, 3, 200);
  EXPECT_DOUBLE_EQ(simulate_manager_worker(cluster, work, around).makespan, 10);
  EXPECT_DOUBLE_EQ(simulate_manager_worker(cluster, work, kept).makespan, 10);
}

/// Two tiles of two tasks of 3 s, the first of which writes 200 bytes for the second. On `one_accelerator`.
ClusterWork pairs_of_tasks(const ClusterModel& cluster) {
  ClusterWork work = equal_tiles(cluster, 2, 3, 200, "first", AccessMode::write);
  Workload& workload = work.tasks.front();
  workload.kinds = workload.codelets = {"first", "second"};
  for (const std::size_t at : {1u, 3u}) {
    WorkTask second = workload.tasks[at - 1];
    second.kind = second.codelet = 1;
    second.data.front().mode = AccessMode::read;
    workload.tasks.insert(workload.tasks.begin() + static_cast<std::ptrdiff_t>(at), second);
  }
  work.estimates.front().assign(4, {3, 3});
  work.after = {{}, {0}, {}, {2}};
  work.first = {0, 2, 4};
  return work;
}

// First come, first served, both firsts run before both seconds. Around: each first takes 3 + 2 s, each second 2 + 3.
// Kept: the output of the first tile goes home for 2 s before the other runs; what the seconds read is still there.
// With locality each second follows its first, and nothing is copied.
TEST(ManagerWorker, DataThatStayOnAnAcceleratorAreNotCopied) {
  const ClusterModel cluster = small_cluster(1, one_accelerator());
  const ClusterWork work = pairs_of_tasks(cluster);
  std::vector<unsigned> order;
  ClusterOptions how = options("fcfs", 2);
  how.on_task = [&](const ClusterTask& task) { order.push_back(task.task); };
  how.copies = Copies::around;
  EXPECT_NEAR(simulate_manager_worker(cluster, work, how).makespan, 20, 0.01);
  EXPECT_EQ(std::exchange(order, {}), (std::vector<unsigned>{0, 2, 1, 3}));
  how.copies = Copies::kept;
  EXPECT_NEAR(simulate_manager_worker(cluster, work, how).makespan, 16, 0.01);
  EXPECT_EQ(std::exchange(order, {}), (std::vector<unsigned>{0, 2, 1, 3}));
  how.locality = true;
  EXPECT_NEAR(simulate_manager_worker(cluster, work, how).makespan, 12, 0.01);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3}));
}

// Under PATS a task whose data are there goes first unless another gains more than copies cost (hybrid IV-C).
TEST(ManagerWorker, ReuseGivesWayToLargerSpeedups) {
  const ClusterModel cluster = small_cluster(1, one_accelerator());
  ClusterWork work = pairs_of_tasks(cluster);
  std::vector<unsigned> order;
  ClusterOptions how = options("pats", 2);
  how.copies = Copies::kept;
  how.locality = true;
  how.on_task = [&](const ClusterTask& task) { order.push_back(task.task); };
  work.estimates.front() = {{30, 3}, {6, 3}, {30, 3}, {6, 3}};
  simulate_manager_worker(cluster, work, how);
  EXPECT_EQ(std::exchange(order, {}), (std::vector<unsigned>{0, 2, 1, 3}));
  work.estimates.front() = {{30, 3}, {30, 3}, {30, 3}, {30, 3}};
  simulate_manager_worker(cluster, work, how);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST(ManagerWorker, ASlowNodeGetsWhatItCanDo) {
  ClusterModel cluster = small_cluster(1);
  cluster.latency = 0;
  cluster.groups.push_back({"slow", one_core(), 1, 0.1});
  const ClusterResult result = simulate_manager_worker(cluster, equal_tiles(cluster, 22, 1, 0), options("fcfs", 1));
  EXPECT_DOUBLE_EQ(result.makespan, 20);
  EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{20, 2}));
}

TEST(ManagerWorker, BadOptionsAreErrors) {
  const ClusterModel cluster = small_cluster(1);
  const ClusterWork work = equal_tiles(cluster, 1, 1, 0);
  EXPECT_THROW(simulate_manager_worker(cluster, work, options("fcfs", 0)), Error);
  EXPECT_THROW(simulate_manager_worker(cluster, work, options("dmda", 1)), Error);
  EXPECT_THROW(simulate_streams(cluster, work, options("pats", 1)), Error);
  EXPECT_THROW(simulate_streams(cluster, work, options("ddwrr", 0)), Error);
  ClusterOptions planned = options("eft", 1);
  planned.locality = true;
  EXPECT_THROW(simulate_manager_worker(cluster, work, planned), Error);
  planned.policy = "odds";
  EXPECT_THROW(simulate_streams(cluster, work, planned), Error);
}

TEST(Streams, OneNodeHasNobodyToWaitFor) {
  const ClusterModel cluster = small_cluster(1);
  for (const std::string& policy : stream_policies()) {
    const ClusterResult result = simulate_streams(cluster, equal_tiles(cluster, 3, 2, 500), options(policy, 2));
    EXPECT_DOUBLE_EQ(result.makespan, 6) << policy;
    EXPECT_EQ(result.sent_bytes, 0) << policy;
  }
}

// Each reader has two of four buffers, 200 bytes each; both consumers ask node 1's first. Consumer 1 has its first at
// once (0 to 10) and its second, asked for at 0 and heard at 1, at 4 (10 to 20). Consumer 0's first request is heard at
// 1: the buffer comes at 4 (4 to 14), its second is at home (14 to 24).
TEST(Streams, TwoNodesAsWorkedOutByHand) {
  const ClusterModel cluster = small_cluster(2);
  const ClusterResult result = simulate_streams(cluster, equal_tiles(cluster, 4, 10, 200), options("ddfcfs", 1));
  EXPECT_DOUBLE_EQ(result.makespan, 24);
  EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{2, 2}));
  EXPECT_EQ(result.sent_bytes, 400);
}

TEST(Streams, ASlowNodeGetsWhatItCanDo) {
  ClusterModel cluster = small_cluster(1);
  cluster.latency = 0;
  cluster.groups.push_back({"slow", one_core(), 1, 0.1});
  for (const std::string& policy : stream_policies()) {
    const ClusterResult result = simulate_streams(cluster, equal_tiles(cluster, 44, 1, 0), options(policy, 1));
    EXPECT_LE(result.makespan, 50) << policy;
    EXPECT_LE(result.tiles_of_node[1], 5u) << policy;
  }
}

TEST(Both, EndWithoutTilesAndWithFewerTilesThanNodes) {
  for (const unsigned tiles : {0u, 1u, 3u}) {
    const ClusterModel cluster = small_cluster(5);
    const ClusterWork work = equal_tiles(cluster, tiles, 1, 100);
    for (const std::string& policy : stream_policies()) {
      const ClusterResult result = simulate_streams(cluster, work, options(policy, 3));
      EXPECT_EQ(result.ran[0][0][0], tiles) << policy;
    }
    const ClusterResult result = simulate_manager_worker(cluster, work, options("fcfs", 3));
    EXPECT_EQ(result.ran[0][0][0], tiles);
  }
}

ClusterModel model(const std::string& name) {
  return read_cluster(ModelFile(find_model(kModels, "cluster", name)), machine);
}

ClusterWork some_work(const ClusterModel& cluster, const std::string& name, unsigned tiles) {
  WorkloadModel model = workload(name);
  set_parameter(model, "tiles", tiles);
  return make_work(cluster, model, parse_estimator("knn"), 7);
}

/// Runs twice: equal makespans, each task once, no task before those it waits for, no worker with two at a time.
void check(const ClusterModel& cluster, const ClusterWork& work, ClusterOptions options,
           ClusterResult (*simulate)(const ClusterModel&, const ClusterWork&, const ClusterOptions&)) {
  std::map<unsigned, ClusterTask> done;
  std::map<std::pair<unsigned, unsigned>, double> free;
  options.on_task = [&](const ClusterTask& task) {
    EXPECT_TRUE(done.emplace(task.task, task).second) << "task " << task.task << " ran twice";
    for (const unsigned before : work.after[task.task]) {
      ASSERT_TRUE(done.contains(before));
      EXPECT_GE(task.begin, done[before].end);
    }
    EXPECT_GE(task.begin, (free[{task.node, task.worker}]));
    free[{task.node, task.worker}] = task.end;
  };
  const ClusterResult first = simulate(cluster, work, options);
  EXPECT_EQ(done.size(), work.tasks[0].tasks.size());
  options.on_task = {};
  const ClusterResult again = simulate(cluster, work, options);
  EXPECT_EQ(first.makespan, again.makespan);
  EXPECT_EQ(first.ran, again.ran);
  EXPECT_EQ(first.events, again.events);
  EXPECT_GT(first.makespan, 0);
}

TEST(Both, KeepTheRulesUnderEveryPolicy) {
  const ClusterModel anthill = model("anthill-heterogeneous");
  const ClusterWork nbia = some_work(anthill, "nbia", 300);
  for (const std::string& policy : stream_policies()) {
    SCOPED_TRACE(policy);
    check(anthill, nbia, options(policy, 4), simulate_streams);
  }
  ClusterModel mixed = model("keeneland-100");
  set_nodes(mixed, "node", 2);
  mixed.groups.push_back({"other", machine("stampede"), 2, 0.5});
  const ClusterWork segmentation = some_work(mixed, "segmentation", 40);
  for (const std::string& policy : node_policies()) {
    SCOPED_TRACE(policy);
    check(mixed, segmentation, options(policy, 12), simulate_manager_worker);
  }
}

TEST(Both, KeepTheRulesHoweverDataAreCopied) {
  ClusterModel cluster = model("keeneland-100");
  set_nodes(cluster, "node", 2);
  const ClusterWork work = some_work(cluster, "segmentation", 60);
  for (const Copies copies : {Copies::around, Copies::kept, Copies::ahead})
    for (const std::string& policy : node_policies())
      for (const bool locality : {false, true}) {
        if (locality && policy == "eft") continue;
        SCOPED_TRACE(policy);
        ClusterOptions how = options(policy, 19);
        how.copies = copies;
        how.locality = locality;
        check(cluster, work, how, simulate_manager_worker);
      }
}

TEST(Work, TilesAreTheSameOnEveryKindOfNode) {
  ClusterModel mixed = model("keeneland-100");
  mixed.groups.push_back({"other", machine("stampede"), 2, 1});
  const ClusterWork work = some_work(mixed, "segmentation", 5);
  EXPECT_EQ(mixed.class_names(), (std::vector<std::string>{"cpu", "Tesla M2090", "Tesla K20", "Xeon Phi SE10P"}));
  const double slower = work.tasks[0].tasks[8].seconds[0] / work.tasks[1].tasks[8].seconds[0];
  for (std::size_t i = 0; i < work.tasks[0].tasks.size(); ++i) {
    EXPECT_NEAR(work.tasks[0].tasks[i].seconds[0] / work.tasks[1].tasks[i].seconds[0], slower, 1e-9);
    EXPECT_EQ(work.tasks[0].tasks[i].seconds[1], work.tasks[1].tasks[i].seconds[1]);
  }
}

TEST(Work, WhatHangsTogetherCannotBeSharedOut) {
  const ClusterModel cluster = model("keeneland-100");
  const WorkloadModel cholesky = workload("cholesky");
  EXPECT_THROW(make_work(cluster, cholesky, parse_estimator("exact"), 1), Error);
}

}  // namespace
}  // namespace starpath::lab
