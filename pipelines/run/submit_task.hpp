// Submission of a task, or why not.
#pragma once
#include <starpu.h>

#include <string>

#include "base/error.hpp"

namespace starpath {

/// The task is StarPU's then. Throws Error{runtime} when no worker can run it.
inline void submit_task(starpu_task* task) {
  if (starpu_task_submit(task) == 0) return;
  const std::string name = task->name;
  task->destroy = 0;
  starpu_task_destroy(task);
  throw Error(ErrorKind::runtime,
              "no StarPU worker can run '" + name + "': start with at least one CPU worker (see STARPU_NCPU)");
}

}  // namespace starpath
