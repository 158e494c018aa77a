// When workers will be free, as far as estimates tell, and how long they have worked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// What each worker took and has not finished. A worker that runs longer than expected counts as about to be free.
class WorkerTimes {
 public:
  struct Taken {
    const void* task = nullptr;
    double seconds = 0;  ///< it keeps the worker busy for, from the moment it is free
    double tail = 0;     ///< of the longest chain that waits for it
    CodeletId codelet = 0;
    double estimated = 0;  ///< seconds to run; 0: not known
  };

  explicit WorkerTimes(std::size_t workers) : workers_(workers) {}

  void took(WorkerId worker, const Taken& taken, double now) {
    Worker& own = workers_[worker];
    if (own.taken.empty()) own.since = own.busy_since = now;
    own.taken.push_back(taken);
    own.seconds += taken.seconds;
    ++busy_;
  }

  /// Nullopt for tasks that were not taken here: of those it knows nothing.
  std::optional<Taken> finished(WorkerId worker, const void* task, double now) {
    Worker& own = workers_[worker];
    const auto found = std::ranges::find(own.taken, task, &Taken::task);
    if (found == own.taken.end()) return std::nullopt;
    const Taken taken = *found;
    own.seconds -= taken.seconds;
    own.taken.erase(found);
    if (own.taken.empty()) {
      own.seconds = 0;  // no rounding errors pile up
      own.worked += now - own.busy_since;
    }
    own.since = now;
    --busy_;
    return taken;
  }

  /// Nobody waits for what `worker` has to finish any more.
  void left(WorkerId worker) {
    Worker& own = workers_[worker];
    busy_ -= own.taken.size();
    own.taken.clear();
    own.seconds = 0;
  }

  double free_at(WorkerId worker, double now) const {
    const Worker& own = workers_[worker];
    return own.taken.empty() ? now : std::max(now, own.since + own.seconds);
  }
  /// When the longest chain of known tasks that waits for what `worker` has may end at the earliest.
  double chain_ends(WorkerId worker, double now) const {
    const Worker& own = workers_[worker];
    double end = own.since, last = now;
    for (const Taken& taken : own.taken) {
      end = std::max(end + taken.seconds, now);
      last = std::max(last, end + taken.tail);
    }
    return last;
  }
  /// Whether a known task waits for what `worker` has.
  bool awaited(WorkerId worker) const {
    return std::ranges::any_of(workers_[worker].taken, [](const Taken& taken) { return taken.tail > 0; });
  }
  /// Seconds for which `worker` has had something to finish since begin_anew().
  double worked(WorkerId worker, double now) const {
    const Worker& own = workers_[worker];
    return own.worked + (own.taken.empty() ? 0 : now - own.busy_since);
  }
  /// While all are idle.
  void begin_anew() {
    for (Worker& own : workers_) own.worked = 0;
  }
  bool idle(WorkerId worker) const { return workers_[worker].taken.empty(); }
  /// Whether no worker has anything to finish.
  bool all_idle() const { return busy_ == 0; }

 private:
  struct Worker {
    std::vector<Taken> taken;
    double since = 0;    // when the first of `taken` began
    double seconds = 0;  // of all of `taken`
    double busy_since = 0;
    double worked = 0;  // before that
  };

  std::vector<Worker> workers_;
  std::size_t busy_ = 0;  // tasks
};

}  // namespace starpath
