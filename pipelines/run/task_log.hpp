// Every task of a run with its place and time.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "pipelines/run/task_execution.hpp"

namespace starpath {

/// A run's notes of its tasks, if it is asked for them: the same under every policy, from StarPU's own measurements.
/// Times are microseconds of StarPU's clock. Used by the thread that runs the pipeline.
struct TaskLog {
  struct Entry {
    std::string stage;
    int worker;
    double started, finished;
  };

  double begun = 0,
         ended = 0;          ///< of the run, survey included, from its first tile asked for to the last one committed;
                             ///< in a study to the last exports
  std::vector<Entry> tasks;  ///< in the order they ended, those of failed attempts too

  void add(std::string stage, const TaskExecution& run) {
    tasks.push_back({std::move(stage), run.worker, run.started, run.finished});
  }
};

}  // namespace starpath
