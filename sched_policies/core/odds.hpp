// ODDS on one machine: tasks chosen as by DDWRR for the class that asks, and a window of requested tasks a worker.
#pragma once

#include <cstddef>
#include <vector>

#include "sched_policies/core/ddwrr.hpp"
#include "sched_policies/core/dqaa.hpp"

namespace starpath {

/// The choice (DBSA, the data buffer selection algorithm): of the stream whose turn it is, the task that suits the
/// asking worker's class best, as in Ddwrr. The window (DQAA): how many tasks each worker should hold requested, from
/// what its requests and its tasks take; see Dqaa. The caller does the requesting: it pops for a worker while that
/// worker holds fewer than `window(worker)` tasks, starts their transfers, and tells of each one's arrival and end. Not
/// in PolicyList: a name there promises that the adapter asks for windows, which it does not. Source: anthill-2010
/// section 5.3.
class Odds {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "odds",
      .description = "as ddwrr, with a window of requested tasks a worker that adapts to what requests and tasks take",
      .uses_estimates = true,
      .uses_streams = true};

  /// `limit`: the largest window of a worker.
  explicit Odds(PolicyEnvironment environment, unsigned limit = 1024)
      : ready_(environment), windows_(environment.machine.workers(), Dqaa(limit)) {}

  void push(TaskRecord& task) { ready_.push(task); }
  TaskRecord* pop(WorkerId worker) { return ready_.pop(worker); }
  std::size_t size() const { return ready_.size(); }

  /// Tasks that `worker` should hold requested, at least 1.
  unsigned window(WorkerId worker) const { return windows_[worker].target(); }
  /// A task requested for `worker` was there, with its data, `seconds` after the request.
  void answered(WorkerId worker, double seconds) { windows_[worker].answered(seconds); }
  /// `worker` finished a task that ran for `seconds`.
  void processed(WorkerId worker, double seconds) { windows_[worker].processed(seconds); }

 private:
  Ddwrr ready_;
  std::vector<Dqaa> windows_;
};

static_assert(Policy<Odds>);

}  // namespace starpath
