// When workers will be free by the estimates, and how long they have worked.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// The tasks that each worker took and has not finished. A worker whose tasks take longer than expected counts as about
/// to be free. Times are seconds of the caller's clock. Not thread-safe.
class WorkerTimes {
 public:
  struct Taken {
    const void* task = nullptr;
    double seconds = 0;  ///< for which it keeps the worker busy, waiting for its copies included
    double tail = 0;     ///< the longest chain of known tasks that wait for it
    CodeletId codelet = 0;
    double estimated = 0;  ///< run time before correction; 0: not known
  };

  explicit WorkerTimes(std::size_t workers) : workers_(workers) {}

  void took(WorkerId worker, const Taken& taken, double now) {
    Worker& entry = workers_[worker];
    if (entry.taken.empty()) entry.since = entry.busy_since = now;
    entry.taken.push_back(taken);
    entry.seconds += taken.seconds;
    ++busy_;
  }

  /// Nullopt for a task that was not taken here.
  std::optional<Taken> finished(WorkerId worker, const void* task, double now) {
    Worker& entry = workers_[worker];
    const auto found = std::ranges::find(entry.taken, task, &Taken::task);
    if (found == entry.taken.end()) return std::nullopt;
    const Taken taken = *found;
    entry.seconds -= taken.seconds;
    entry.taken.erase(found);
    if (entry.taken.empty()) {
      entry.seconds = 0;  // no rounding errors pile up
      entry.worked += now - entry.busy_since;
    }
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

  double free_at(WorkerId worker, double now) const {
    const Worker& entry = workers_[worker];
    return entry.taken.empty() ? now : std::max(now, entry.since + entry.seconds);
  }
  /// When the longest chain of known tasks that wait for the worker's tasks can end at the earliest.
  double chain_ends(WorkerId worker, double now) const {
    const Worker& entry = workers_[worker];
    double end = entry.since, last = now;
    for (const Taken& taken : entry.taken) {
      end = std::max(end + taken.seconds, now);
      last = std::max(last, end + taken.tail);
    }
    return last;
  }
  /// Whether a known task waits for one of the worker's.
  bool awaited(WorkerId worker) const {
    return std::ranges::any_of(workers_[worker].taken, [](const Taken& taken) { return taken.tail > 0; });
  }
  /// Seconds for which the worker has had something to finish since begin_anew().
  double worked(WorkerId worker, double now) const {
    const Worker& entry = workers_[worker];
    return entry.worked + (entry.taken.empty() ? 0 : now - entry.busy_since);
  }
  /// Restarts the count of `worked`. Only while all are idle.
  void begin_anew() {
    for (Worker& entry : workers_) entry.worked = 0;
  }
  bool idle(WorkerId worker) const { return workers_[worker].taken.empty(); }
  /// Whether no worker has anything to finish.
  bool all_idle() const { return busy_ == 0; }

 private:
  struct Worker {
    std::vector<Taken> taken;
    double since = 0;       // when the first of `taken` began
    double seconds = 0;     // of all of `taken`
    double busy_since = 0;  // when it last stopped being idle
    double worked = 0;      // before `busy_since`
  };

  std::vector<Worker> workers_;
  std::size_t busy_ = 0;  // tasks of all workers
};

}  // namespace starpath
