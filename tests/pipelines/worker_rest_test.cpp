// Workers rest while no run has work for them, and are awake otherwise.
#include "pipelines/run/worker_rest.hpp"

#include <gtest/gtest.h>
#include <starpu.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "pipelines/run/starpu_session.hpp"

namespace starpath {
namespace {

using namespace std::chrono_literals;

std::atomic<int> executed{0};

void count_one(void**, void*) { ++executed; }

starpu_codelet one_task() {
  starpu_codelet codelet{};
  codelet.cpu_funcs[0] = count_one;
  codelet.nbuffers = 0;
  codelet.name = "one";
  return codelet;
}

class WorkerRestTest : public testing::Test {
 protected:
  void submit() {
    starpu_task* task = starpu_task_create();
    task->cl = &codelet_;
    ASSERT_EQ(starpu_task_submit(task), 0);
  }
  /// Whether the task ends while workers are as they are.
  bool is_executed(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (executed == 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    return executed > 0;
  }
  void SetUp() override { executed = 0; }

  const StarpuSession session_{{.policy = "eager", .cpus = 1, .gpus = 0}};
  starpu_codelet codelet_ = one_task();
};

TEST_F(WorkerRestTest, NothingIsExecutedUntilTheOnlyRunWakesThem) {
  WorkerRest run;
  run.rest();
  std::this_thread::sleep_for(50ms);  // the worker may be between two questions
  submit();
  EXPECT_FALSE(is_executed(200ms));
  run.wake();
  EXPECT_TRUE(is_executed(20s));
}

TEST_F(WorkerRestTest, AnotherRunWithWorkKeepsThemAwake) {
  WorkerRest run;
  const WorkerRest other;
  run.rest();
  submit();
  EXPECT_TRUE(is_executed(20s));
}

TEST_F(WorkerRestTest, ARunThatBeginsWakesThem) {
  WorkerRest run;
  run.rest();
  const WorkerRest other;
  submit();
  EXPECT_TRUE(is_executed(20s));
}

TEST_F(WorkerRestTest, TheEndOfARunLeavesThemAwake) {
  {
    WorkerRest run;
    run.rest();
  }
  submit();
  EXPECT_TRUE(is_executed(20s));
}

}  // namespace
}  // namespace starpath
