// Tasks that no worker could run when it looked at them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// Nobody tells when one can be run, so workers try them: some at a time, each worker in turn through all. Not
/// thread-safe.
class ParkedTasks {
 public:
  explicit ParkedTasks(std::size_t workers) : tries_(workers) {}

  void park(TaskRecord& task) {
    tasks_.push_back(&task);
    try_anew();
  }

  /// Takes out the first of the next few that `can_run(task)` says the worker can run; nullptr: none of them.
  template <class CanRun>
  TaskRecord* take(WorkerId worker, CanRun can_run) {
    Tries& tries = tries_[worker];
    for (std::size_t left = std::min(kTriesAtOnce, tasks_.size()); left > 0; --left) {
      if (tries.next >= tasks_.size()) tries.next = 0;
      TaskRecord* const task = tasks_[tries.next];
      if (can_run(*task)) {
        tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(tries.next));
        try_anew();  // others have moved
        return task;
      }
      ++tries.next;
      ++tries.failed;
    }
    return nullptr;
  }

  /// Whether there is one that the worker has not tried since a task came or went.
  bool untried(WorkerId worker) const { return tries_[worker].failed < tasks_.size(); }
  bool empty() const { return tasks_.empty(); }
  const TaskRecord& front() const { return *tasks_.front(); }

 private:
  static constexpr std::size_t kTriesAtOnce = 8;
  struct Tries {
    std::size_t next = 0;    // in `tasks_`
    std::size_t failed = 0;  // one after the other
  };
  void try_anew() {
    for (Tries& tries : tries_) tries.failed = 0;
  }

  std::vector<TaskRecord*> tasks_;
  std::vector<Tries> tries_;  // by worker
};

}  // namespace starpath
