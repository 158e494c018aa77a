// Work of a run that is no tile's, as a task of StarPU.
#pragma once
#include <functional>

#include "pipelines/run/task_log.hpp"

namespace starpath {

/// Runs `work` as one task on a core of StarPU, waits for it and rethrows its exception. A thread of its own would take
/// the core from a worker in the middle of a task. Without a worker on a core `work` runs in the calling thread. `log`,
/// which may be null, gets the task as `stage`, and a later end. StarPU is running. Thread-safe; not for threads of
/// StarPU.
void run_on_core(const char* stage, const std::function<void()>& work, TaskLog* log);

}  // namespace starpath
