// When workers will be free, as far as estimates tell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// What each worker took and has not finished. A worker that runs longer than expected counts as about to be free.
class WorkerTimes {
 public:
  explicit WorkerTimes(std::size_t workers) : workers_(workers) {}

  /// `worker` took a task, which keeps it busy for `seconds` from the moment it is free.
  void took(WorkerId worker, const void* task, double seconds, double tail, double now) {
    Worker& own = workers_[worker];
    if (own.taken.empty()) own.since = now;
    own.taken.push_back({task, seconds, tail});
    own.seconds += seconds;
    ++busy_;
  }

  /// Of tasks that were not taken here it knows nothing.
  void finished(WorkerId worker, const void* task, double now) {
    Worker& own = workers_[worker];
    const auto found = std::ranges::find(own.taken, task, &Taken::task);
    if (found == own.taken.end()) return;
    own.seconds -= found->seconds;
    own.taken.erase(found);
    if (own.taken.empty()) own.seconds = 0;  // no rounding errors pile up
    own.since = now;
    --busy_;
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
  bool idle(WorkerId worker) const { return workers_[worker].taken.empty(); }
  /// Whether no worker has anything to finish.
  bool all_idle() const { return busy_ == 0; }

 private:
  struct Taken {
    const void* task;
    double seconds;
    double tail;
  };
  struct Worker {
    std::deque<Taken> taken;
    double since = 0;    // when the first of `taken` began
    double seconds = 0;  // of all of `taken`
  };

  std::vector<Worker> workers_;
  std::size_t busy_ = 0;  // tasks
};

}  // namespace starpath
