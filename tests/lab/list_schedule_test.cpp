// List schedules by hand.
#include "lab/list_schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

/// One core; one GPU whose link moves 1 MB in a second, with no latency.
LabMachine one_and_one() {
  LabMachine machine;
  machine.cores = machine.full_cores = 2;
  machine.host_bandwidth = 1e9;
  machine.accelerators = {{.model = "gpu", .count = 1, .to_device = 1e6, .from_device = 1e6}};
  return machine;
}

/// `seconds`: on the core and on the GPU.
WorkTask task(std::vector<double> seconds, std::vector<Access> data) {
  WorkTask task;
  task.seconds = std::move(seconds);
  task.data = std::move(data);
  return task;
}

Workload workload_of(std::vector<double> megabytes, std::vector<WorkTask> tasks) {
  Workload workload;
  for (const double size : megabytes) workload.data.push_back({size * 1e6});
  workload.tasks = std::move(tasks);
  return workload;
}

TEST(ListSchedule, CopiesThereAndBackCount) {
  // 2 s of copying, 1 s of running, 3 s of copying home; the core takes 7.
  EXPECT_DOUBLE_EQ(list_schedule(workload_of({2, 3}, {task({7, 1}, {{0, AccessMode::read}, {1, AccessMode::write}})}),
                                 one_and_one()),
                   6);
}

TEST(ListSchedule, WhatIsThereIsNotCopiedAgain) {
  const Access data{0, AccessMode::read_write};
  // To the GPU once, home once.
  EXPECT_DOUBLE_EQ(list_schedule(workload_of({2}, {task({20, 1}, {data}), task({20, 1}, {data})}), one_and_one()), 6);
}

TEST(ListSchedule, TheLongestChainGoesFirst) {
  // Both kinds on the core only. The chain (1, then 5) begins before the single task of 4.
  const Access first{0, AccessMode::write}, second{1, AccessMode::write};
  EXPECT_DOUBLE_EQ(list_schedule(workload_of({0, 0}, {task({4, HUGE_VAL}, {first}), task({1, HUGE_VAL}, {second}),
                                                      task({HUGE_VAL, 5}, {{1, AccessMode::read}})}),
                                 one_and_one()),
                   6);
}

TEST(ListSchedule, ATaskThatRunsNowhereIsAnError) {
  EXPECT_THROW(list_schedule(workload_of({}, {task({HUGE_VAL, HUGE_VAL}, {})}), one_and_one()), Error);
}

}  // namespace
}  // namespace starpath::lab
