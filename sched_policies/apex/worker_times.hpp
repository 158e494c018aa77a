// When workers will be free by the estimates.
#pragma once
#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// Forecasts when each worker will be free, from the tasks that it took and has not finished. A worker is late in two
/// cases: its tasks should have ended by now, or it is idle, the policy called it, and it has not asked for a task
/// since. A worker that is late by x seconds counts as busy for x more seconds from now on. So the longer a worker is
/// silent, the fewer tasks are planned for it. Times are seconds of the caller's clock. Not thread-safe.
class WorkerTimes {
 public:
  struct Taken {
    const void* task = nullptr;
    double seconds = 0;  ///< for which it keeps the worker busy, waiting for its copies included
    CodeletId codelet = 0;
    double estimated = 0;       ///< run time before correction; 0: not known
    StartedCopies copies = {};  ///< of its data
    double since = 0;           ///< set by `finished`: from when on the worker had nothing else to do
  };

  explicit WorkerTimes(std::size_t workers) : workers_(workers) {}

  void took(WorkerId worker, const Taken& taken, double now) {
    Worker& entry = workers_[worker];
    if (entry.taken.empty()) entry.since = now;
    entry.taken.push_back(taken);
    entry.seconds += taken.seconds;
    ++busy_;
  }

  /// Nullopt for a task that was not taken here.
  std::optional<Taken> finished(WorkerId worker, const void* task, double now) {
    Worker& entry = workers_[worker];
    const auto found = std::ranges::find(entry.taken, task, &Taken::task);
    if (found == entry.taken.end()) return std::nullopt;
    Taken taken = *found;
    taken.since = entry.since;
    entry.seconds -= taken.seconds;
    if (found == entry.taken.begin()) {
      entry.taken.pop_front();
    } else {
      entry.taken.erase(found);
    }
    if (entry.taken.empty()) entry.seconds = 0;  // no rounding errors pile up
    entry.since = now;
    --busy_;
    return taken;
  }

  /// The worker left the context: its tasks do not count any more.
  void left(WorkerId worker) {
    Worker& entry = workers_[worker];
    busy_ -= entry.taken.size();
    entry.taken.clear();
    entry.seconds = 0;
  }

  /// When the worker will be free; never before `now`.
  double free_at(WorkerId worker, double now) const {
    const Worker& entry = workers_[worker];
    if (entry.taken.empty()) return entry.called < 0 ? now : now + (now - entry.called);
    const double end = entry.since + entry.seconds;
    return end >= now ? end : now + (now - end);
  }
  /// The policy wakes an idle worker, because there is a task for it.
  void called(WorkerId worker, double now) {
    if (workers_[worker].called < 0) workers_[worker].called = now;
  }
  /// The worker asks for a task.
  void asked(WorkerId worker) { workers_[worker].called = -1; }
  bool idle(WorkerId worker) const { return workers_[worker].taken.empty(); }
  /// Whether no worker has anything to finish.
  bool all_idle() const { return busy_ == 0; }

 private:
  struct Worker {
    std::deque<Taken> taken;  // the application may bind many
    double since = 0;         // when the first of `taken` began
    double seconds = 0;       // of all of `taken`
    double called = -1;       // since when it was called and did not ask; below 0: it was not
  };

  std::vector<Worker> workers_;
  std::size_t busy_ = 0;  // tasks of all workers
};

}  // namespace starpath
