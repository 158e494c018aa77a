// One synchronous task.
#include "pipelines/run/core_task.hpp"

#include <starpu.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "base/error.hpp"
#include "codelets/starpu/kernel_codelet.hpp"
#include "codelets/starpu/running_functions.hpp"
#include "pipelines/run/stage_tasks.hpp"
#include "pipelines/run/worker_rest.hpp"

namespace starpath {
namespace {

struct Job {
  const std::function<void()>& work;
  std::exception_ptr failure;
};

starpu_codelet core_codelet = [] {
  starpu_codelet codelet = codelets::codelet_for<"core_task", nullptr>();
  codelet.cpu_funcs[0] = [](void**, void* argument) {
    const codelets::RunningFunctions::Run running;
    auto& job = *static_cast<Job*>(argument);
    try {
      job.work();
    } catch (...) {
      job.failure = std::current_exception();
    }
  };
  return codelet;
}();

}  // namespace

void run_on_core(const char* stage, const std::function<void()>& work, TaskLog* log) {
  if (!runs_here(core_codelet)) return work();
  const WorkerRest awake;
  if (log != nullptr) starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  Job job{work, nullptr};
  const std::unique_ptr<starpu_task, decltype(&starpu_task_destroy)> task(starpu_task_create(), starpu_task_destroy);
  task->destroy = 0;
  task->synchronous = 1;
  task->name = stage;
  task->cl = &core_codelet;
  task->cl_arg = &job;
  if (starpu_task_submit(task.get()) != 0)
    throw Error(ErrorKind::runtime, "StarPU refuses a task for a core: start with at least one CPU worker");
  if (log != nullptr) {
    log->add(stage, end_of(*task));
    log->ended = std::max(log->ended, log->tasks.back().finished);
  }
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace starpath
