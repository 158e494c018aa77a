// Work of a run that is no tile's: where it runs, what it throws, what is noted of it.
#include "pipelines/run/core_task.hpp"

#include <gtest/gtest.h>
#include <starpu.h>

#include <thread>
#include <vector>

#include "base/error.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/worker_rest.hpp"

namespace starpath {
namespace {

class CoreTask : public testing::TestWithParam<const char*> {
 protected:
  const StarpuSession session_{{.policy = GetParam(), .cpus = 2, .gpus = 0}};
};

TEST_P(CoreTask, RunsOnAWorkerAndIsNoted) {
  int worker = -1;
  TaskLog log;
  run_on_core(
      "exports", [&] { worker = starpu_worker_get_id(); }, &log);
  EXPECT_GE(worker, 0);
  ASSERT_EQ(log.tasks.size(), 1u);
  EXPECT_EQ(log.tasks[0].stage, "exports");
  EXPECT_EQ(log.tasks[0].worker, worker);
  EXPECT_GE(log.tasks[0].finished, log.tasks[0].started);
  EXPECT_EQ(log.ended, log.tasks[0].finished);
}

TEST_P(CoreTask, ThrowsWhatTheWorkThrows) {
  const auto fails = [] { throw Error(ErrorKind::output, "no room"); };
  try {
    run_on_core("exports", fails, nullptr);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::output);
    EXPECT_STREQ(error.what(), "no room");
  }
}

TEST_P(CoreTask, RunsThoughTheOtherRunsHaveNothingToDo) {
  WorkerRest other;
  other.rest();
  bool ran = false;
  run_on_core(
      "exports", [&] { ran = true; }, nullptr);
  EXPECT_TRUE(ran);
}

TEST_P(CoreTask, ManyThreadsAtOnce) {
  std::vector<int> workers(8, -1);
  {
    std::vector<std::jthread> threads;
    for (int& worker : workers)
      threads.emplace_back([&worker] {
        run_on_core(
            "exports", [&] { worker = starpu_worker_get_id(); }, nullptr);
      });
  }
  for (const int worker : workers) EXPECT_GE(worker, 0);
}

INSTANTIATE_TEST_SUITE_P(Policies, CoreTask, testing::Values("eager", "lws", "dmda"));

}  // namespace
}  // namespace starpath
