// Several simulated nodes: makespans worked out by hand, and rules that hold under every policy.
#include "lab/nodes/simulate.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "tests/lab/models.hpp"
#include "tests/lab/nodes/small.hpp"

namespace starpath::lab {
namespace {

NodesOptions options(std::string policy, unsigned window) { return {.policy = std::move(policy), .window = window}; }

TEST(ManagerWorker, OneNodeHasNobodyToWaitFor) {
  const NodesModel all_nodes = small_nodes(1);
  const NodesResult result = simulate_manager_worker(all_nodes, equal_tiles(all_nodes, 3, 2, 0), options("fcfs", 2));
  EXPECT_DOUBLE_EQ(result.makespan, 6);
  EXPECT_DOUBLE_EQ(result.busy[0][0], 6);
  EXPECT_EQ(result.messages, 0u);
}

// Node 1 says hello (heard at 1), is welcomed (2), asks (3), and gets its tiles at 4. With a window of one the manager
// hears of the first at 15, and the second runs from 16 to 26; with a window of two it has both, its fair share, and
// runs them from 4 to 24. Node 0 runs two tiles from 0 to 20. The manager hears the last word a second after.
TEST(ManagerWorker, TwoNodesAsWorkedOutByHand) {
  const NodesModel all_nodes = small_nodes(2);
  for (const unsigned window : {1u, 2u}) {
    const NodesResult result =
        simulate_manager_worker(all_nodes, equal_tiles(all_nodes, 4, 10, 0), options("fcfs", window));
    EXPECT_DOUBLE_EQ(result.makespan, window == 1 ? 27 : 25) << window;
    EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{2, 2})) << window;
  }
}

// A core waits for 100 bytes: the disks have sent them at 0.5, the first arrives at 1, the link is through at 2; then
// it computes for 3 s.
TEST(ManagerWorker, ReadingTakesTheFileSystemAndTheLink) {
  const NodesModel all_nodes = small_nodes(1);
  const NodesWork work = equal_tiles(all_nodes, 1, 3, 100, "read", AccessMode::write);
  NodesOptions with = options("fcfs", 1), without = with;
  without.reading = false;
  EXPECT_DOUBLE_EQ(simulate_manager_worker(all_nodes, work, with).makespan, 5);
  EXPECT_DOUBLE_EQ(simulate_manager_worker(all_nodes, work, without).makespan, 0);
}

// Copies take 2 s each, tasks 3 s: the second copy passes while the first task runs.
TEST(ManagerWorker, AcceleratorsCopyAhead) {
  const NodesModel all_nodes = small_nodes(1, one_accelerator());
  const NodesResult result = simulate_manager_worker(all_nodes, equal_tiles(all_nodes, 2, 3, 200), options("fcfs", 2));
  EXPECT_DOUBLE_EQ(result.makespan, 8);
  EXPECT_EQ(result.ran[0][0], (std::vector<unsigned>{0, 2}));
}

// The same without overlap: 2 s of copies and 3 s of computing, twice.
TEST(ManagerWorker, AcceleratorsThatCopyBetweenTasks) {
  const NodesModel all_nodes = small_nodes(1, one_accelerator());
  NodesOptions around = options("fcfs", 2), kept = around;
  around.copies = Copies::around;
  kept.copies = Copies::kept;
  const NodesWork work = equal_tiles(all_nodes, 2, 3, 200);
  EXPECT_DOUBLE_EQ(simulate_manager_worker(all_nodes, work, around).makespan, 10);
  EXPECT_DOUBLE_EQ(simulate_manager_worker(all_nodes, work, kept).makespan, 10);
}

/// Two tiles of two tasks of 3 s, the first of which writes 200 bytes for the second. On `one_accelerator`.
NodesWork pairs_of_tasks(const NodesModel& all_nodes) {
  NodesWork work = equal_tiles(all_nodes, 2, 3, 200, "first", AccessMode::write);
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
  const NodesModel all_nodes = small_nodes(1, one_accelerator());
  const NodesWork work = pairs_of_tasks(all_nodes);
  std::vector<unsigned> order;
  NodesOptions how = options("fcfs", 2);
  how.on_task = [&](const NodesTask& task) { order.push_back(task.task); };
  how.copies = Copies::around;
  EXPECT_NEAR(simulate_manager_worker(all_nodes, work, how).makespan, 20, 0.01);
  EXPECT_EQ(std::exchange(order, {}), (std::vector<unsigned>{0, 2, 1, 3}));
  how.copies = Copies::kept;
  EXPECT_NEAR(simulate_manager_worker(all_nodes, work, how).makespan, 16, 0.01);
  EXPECT_EQ(std::exchange(order, {}), (std::vector<unsigned>{0, 2, 1, 3}));
  how.locality = true;
  EXPECT_NEAR(simulate_manager_worker(all_nodes, work, how).makespan, 12, 0.01);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3}));
}

// Under PATS a task whose data are there goes first unless another gains more than copies cost (hybrid IV-C).
TEST(ManagerWorker, ReuseGivesWayToLargerSpeedups) {
  const NodesModel all_nodes = small_nodes(1, one_accelerator());
  NodesWork work = pairs_of_tasks(all_nodes);
  std::vector<unsigned> order;
  NodesOptions how = options("pats", 2);
  how.copies = Copies::kept;
  how.locality = true;
  how.on_task = [&](const NodesTask& task) { order.push_back(task.task); };
  work.estimates.front() = {{30, 3}, {6, 3}, {30, 3}, {6, 3}};
  simulate_manager_worker(all_nodes, work, how);
  EXPECT_EQ(std::exchange(order, {}), (std::vector<unsigned>{0, 2, 1, 3}));
  work.estimates.front() = {{30, 3}, {30, 3}, {30, 3}, {30, 3}};
  simulate_manager_worker(all_nodes, work, how);
  EXPECT_EQ(order, (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST(ManagerWorker, ASlowNodeGetsWhatItCanDo) {
  NodesModel all_nodes = small_nodes(1);
  all_nodes.latency = 0;
  all_nodes.groups.push_back({"slow", one_core(), 1, 0.1});
  const NodesResult result = simulate_manager_worker(all_nodes, equal_tiles(all_nodes, 22, 1, 0), options("fcfs", 1));
  EXPECT_DOUBLE_EQ(result.makespan, 20);
  EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{20, 2}));
}

TEST(ManagerWorker, BadOptionsAreErrors) {
  const NodesModel all_nodes = small_nodes(1);
  const NodesWork work = equal_tiles(all_nodes, 1, 1, 0);
  EXPECT_THROW(simulate_manager_worker(all_nodes, work, options("fcfs", 0)), Error);
  EXPECT_THROW(simulate_manager_worker(all_nodes, work, options("dmda", 1)), Error);
  EXPECT_THROW(simulate_streams(all_nodes, work, options("pats", 1)), Error);
  EXPECT_THROW(simulate_streams(all_nodes, work, options("ddwrr", 0)), Error);
  NodesOptions planned = options("eft", 1);
  planned.locality = true;
  EXPECT_THROW(simulate_manager_worker(all_nodes, work, planned), Error);
  planned.policy = "odds";
  EXPECT_THROW(simulate_streams(all_nodes, work, planned), Error);
}

TEST(Streams, OneNodeHasNobodyToWaitFor) {
  const NodesModel all_nodes = small_nodes(1);
  for (const std::string& policy : stream_policies()) {
    const NodesResult result = simulate_streams(all_nodes, equal_tiles(all_nodes, 3, 2, 500), options(policy, 2));
    EXPECT_DOUBLE_EQ(result.makespan, 6) << policy;
    EXPECT_EQ(result.sent_bytes, 0) << policy;
  }
}

// Each reader has two of four buffers, 200 bytes each; both consumers ask node 1's first. Consumer 1 has its first at
// once (0 to 10) and its second, asked for at 0 and heard at 1, at 4 (10 to 20). Consumer 0's first request is heard at
// 1: the buffer comes at 4 (4 to 14), its second is at home (14 to 24).
TEST(Streams, TwoNodesAsWorkedOutByHand) {
  const NodesModel all_nodes = small_nodes(2);
  const NodesResult result = simulate_streams(all_nodes, equal_tiles(all_nodes, 4, 10, 200), options("ddfcfs", 1));
  EXPECT_DOUBLE_EQ(result.makespan, 24);
  EXPECT_EQ(result.tiles_of_node, (std::vector<unsigned>{2, 2}));
  EXPECT_EQ(result.sent_bytes, 400);
}

TEST(Streams, ASlowNodeGetsWhatItCanDo) {
  NodesModel all_nodes = small_nodes(1);
  all_nodes.latency = 0;
  all_nodes.groups.push_back({"slow", one_core(), 1, 0.1});
  for (const std::string& policy : stream_policies()) {
    const NodesResult result = simulate_streams(all_nodes, equal_tiles(all_nodes, 44, 1, 0), options(policy, 1));
    EXPECT_LE(result.makespan, 50) << policy;
    EXPECT_LE(result.tiles_of_node[1], 5u) << policy;
  }
}

TEST(Both, EndWithoutTilesAndWithFewerTilesThanNodes) {
  for (const unsigned tiles : {0u, 1u, 3u}) {
    const NodesModel all_nodes = small_nodes(5);
    const NodesWork work = equal_tiles(all_nodes, tiles, 1, 100);
    for (const std::string& policy : stream_policies()) {
      const NodesResult result = simulate_streams(all_nodes, work, options(policy, 3));
      EXPECT_EQ(result.ran[0][0][0], tiles) << policy;
    }
    const NodesResult result = simulate_manager_worker(all_nodes, work, options("fcfs", 3));
    EXPECT_EQ(result.ran[0][0][0], tiles);
  }
}

NodesModel model(const std::string& name) {
  return read_nodes(ModelFile(find_model(kModels, "network", name)), machine);
}

NodesWork some_work(const NodesModel& all_nodes, const std::string& name, unsigned tiles) {
  WorkloadModel model = workload(name);
  set_parameter(model, "tiles", tiles);
  return make_work(all_nodes, model, parse_estimator("knn"), 7);
}

/// Runs twice: equal makespans, each task once, no task before those it waits for, no worker with two at a time.
void check(const NodesModel& all_nodes, const NodesWork& work, NodesOptions options,
           NodesResult (*simulate)(const NodesModel&, const NodesWork&, const NodesOptions&)) {
  std::map<unsigned, NodesTask> done;
  std::map<std::pair<unsigned, unsigned>, double> free;
  options.on_task = [&](const NodesTask& task) {
    EXPECT_TRUE(done.emplace(task.task, task).second) << "task " << task.task << " ran twice";
    for (const unsigned before : work.after[task.task]) {
      ASSERT_TRUE(done.contains(before));
      EXPECT_GE(task.begin, done[before].end);
    }
    EXPECT_GE(task.begin, (free[{task.node, task.worker}]));
    free[{task.node, task.worker}] = task.end;
  };
  const NodesResult first = simulate(all_nodes, work, options);
  EXPECT_EQ(done.size(), work.tasks[0].tasks.size());
  options.on_task = {};
  const NodesResult again = simulate(all_nodes, work, options);
  EXPECT_EQ(first.makespan, again.makespan);
  EXPECT_EQ(first.ran, again.ran);
  EXPECT_EQ(first.events, again.events);
  EXPECT_GT(first.makespan, 0);
}

TEST(Both, KeepTheRulesUnderEveryPolicy) {
  const NodesModel anthill = model("anthill-heterogeneous");
  const NodesWork nbia = some_work(anthill, "nbia", 300);
  for (const std::string& policy : stream_policies()) {
    SCOPED_TRACE(policy);
    check(anthill, nbia, options(policy, 4), simulate_streams);
  }
  NodesModel mixed = model("keeneland-100");
  set_nodes(mixed, "node", 2);
  mixed.groups.push_back({"other", machine("stampede"), 2, 0.5});
  const NodesWork segmentation = some_work(mixed, "segmentation", 40);
  for (const std::string& policy : node_policies()) {
    SCOPED_TRACE(policy);
    check(mixed, segmentation, options(policy, 12), simulate_manager_worker);
  }
}

TEST(Both, KeepTheRulesHoweverDataAreCopied) {
  NodesModel all_nodes = model("keeneland-100");
  set_nodes(all_nodes, "node", 2);
  const NodesWork work = some_work(all_nodes, "segmentation", 60);
  for (const Copies copies : {Copies::around, Copies::kept, Copies::ahead})
    for (const std::string& policy : node_policies())
      for (const bool locality : {false, true}) {
        if (locality && policy == "eft") continue;
        SCOPED_TRACE(policy);
        NodesOptions how = options(policy, 19);
        how.copies = copies;
        how.locality = locality;
        check(all_nodes, work, how, simulate_manager_worker);
      }
}

TEST(Work, TilesAreTheSameOnEveryKindOfNode) {
  NodesModel mixed = model("keeneland-100");
  mixed.groups.push_back({"other", machine("stampede"), 2, 1});
  const NodesWork work = some_work(mixed, "segmentation", 5);
  EXPECT_EQ(mixed.class_names(), (std::vector<std::string>{"cpu", "Tesla M2090", "Tesla K20", "Xeon Phi SE10P"}));
  const double slower = work.tasks[0].tasks[8].seconds[0] / work.tasks[1].tasks[8].seconds[0];
  for (std::size_t i = 0; i < work.tasks[0].tasks.size(); ++i) {
    EXPECT_NEAR(work.tasks[0].tasks[i].seconds[0] / work.tasks[1].tasks[i].seconds[0], slower, 1e-9);
    EXPECT_EQ(work.tasks[0].tasks[i].seconds[1], work.tasks[1].tasks[i].seconds[1]);
  }
}

TEST(Work, WhatHangsTogetherCannotBeSharedOut) {
  const NodesModel all_nodes = model("keeneland-100");
  const WorkloadModel cholesky = workload("cholesky");
  EXPECT_THROW(make_work(all_nodes, cholesky, parse_estimator("exact"), 1), Error);
}

}  // namespace
}  // namespace starpath::lab
