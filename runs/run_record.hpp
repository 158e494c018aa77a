// What a run leaves for a comparison, from StarPU while it runs.
#pragma once
#include "comparison/record.hpp"
#include "pipelines/run/task_log.hpp"

namespace starpath {

/// The record of a run that has ended, without `found`. StarPU must still be running, with profiling on since before
/// the run's first task. Bytes moved are those since then, by StarPU's bus statistics, which this resets.
RunRecord record_of(const TaskLog& log);

}  // namespace starpath
