// Apex by hand: what a device runs and copies first where its memory is short.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sched_policies/core/data_presence.hpp"
#include "tests/sched_policies/pure/apex_by_hand.hpp"

namespace starpath {
namespace {

class ApexMemory : public ApexTest {
 protected:
  ApexMemory() { policy_.set_presence(memory_); }

  struct Memory final : DataPresence {
    bool short_of_room(MemoryId memory) const override {
      EXPECT_NE(memory, 0U) << "main memory counts as large enough";
      return is_short;
    }
    double missing(const TaskRecord& task, MemoryId) const override {
      EXPECT_TRUE(is_short) << "nobody needs to know";
      const auto found = bytes.find(static_cast<const Named&>(task).name);
      return found != bytes.end() ? found->second : 0;
    }
    bool is_short = true;
    std::map<std::string, double> bytes;  // that are missing on the GPU
  };
  Memory memory_;
};

TEST_F(ApexMemory, RunsFirstWhatMissesLeast) {
  memory_.bytes = {{"old", 2}, {"middle", 0}, {"young", 1}, {"youngest", 0}};
  for (const char* name : {"old", "middle", "young", "youngest"}) push(name, {.workers = {kGpu}});
  for (const char* name : {"middle", "youngest", "young", "old"}) EXPECT_EQ(pop(kGpu), name);
  EXPECT_EQ(pop(kGpu), "");
}

TEST_F(ApexMemory, OnlyWhereItIsShort) {
  memory_.is_short = false;
  memory_.bytes = {{"old", 2}};
  for (const char* name : {"old", "young"}) push(name, {.workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "old");
}

TEST_F(ApexMemory, NeverOnACore) {
  memory_.bytes = {{"old", 2}};
  for (const char* name : {"old", "young"}) push(name, {.workers = {kCpu}});
  EXPECT_EQ(pop(kCpu), "old");
}

TEST_F(ApexMemory, AmongTasksOfOnePriority) {
  memory_.bytes = {{"high", 2}, {"low", 0}};
  push("low", {.workers = {kGpu}});
  push("high", {.priority = 1, .workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "high");
}

TEST_F(ApexMemory, CriticalTasksStayFirst) {
  memory_.bytes = {{"long", 2}, {"short", 0}};
  policy_.set_outstanding({.seconds = 10});
  push("short", {.workers = {kGpu}});
  push("long", {.tail = 8, .workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "long");
}

TEST_F(ApexMemory, NotWhatTheWorkerMayNotRun) {
  memory_.bytes = {{"here", 2}};
  push("elsewhere", {.workers = {kOtherGpu}});
  push("here", {.workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "here");
}

TEST_F(ApexMemory, WhatWasSaidToBeThereMayHaveLeft) {
  memory_.bytes = {{"there", 1}};
  push("copied", {.copies = {0, 1, 1}, .workers = {kGpu}});
  EXPECT_EQ(fetch(), "copied to 1");
  hold();
  push("there", {.workers = {kGpu}});
  EXPECT_EQ(pop(kGpu), "copied") << "the data of the other one left the memory meanwhile";
}

TEST_F(ApexMemory, CopiesStartForWhatMissesLeast) {
  memory_.bytes = {{"all", 4}, {"half", 2}};
  const Task task{.copies = {0, 1, 1}, .fills = 0.3, .workers = {kGpu}};
  push("all", task);
  push("half", task);
  EXPECT_EQ(fetch(), "half to 1");
  hold();
  EXPECT_EQ(fetch(), "") << "there is no room for more";
}

TEST_F(ApexMemory, CopiesStartForTheMostUrgentWhereItIsNotShort) {
  memory_.is_short = false;
  const Task task{.copies = {0, 1, 1}, .workers = {kGpu}};
  push("old", task);
  push("young", task);
  EXPECT_EQ(fetch(), "old to 1");
}

}  // namespace
}  // namespace starpath
