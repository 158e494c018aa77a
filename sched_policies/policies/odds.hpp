// ODDS on one machine: tasks chosen as by DDWRR for the class that asks, requested ahead in windows that DQAA sizes.
#pragma once
#include <cstddef>

#include "sched_policies/policies/ddwrr.hpp"

namespace starpath {

/// The choice (DBSA, the data buffer selection algorithm) is that of Ddwrr: of the codelet whose turn it is, the task
/// that suits the asking worker's class best. `requests_ahead` makes the caller pop tasks ahead for accelerators, in
/// windows that Dqaa sizes. Source: anthill-2010 section 5.3.
class Odds {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "odds",
      .description = "as ddwrr; accelerators request tasks ahead, as many as transfers take compared with tasks",
      .uses_estimates = true,
      .uses_codelets = true,
      .requests_ahead = true};

  explicit Odds(PolicyEnvironment environment) : ready_(environment) {}

  void push(TaskRecord& task) { ready_.push(task); }
  TaskRecord* pop(WorkerId worker) { return ready_.pop(worker); }
  std::size_t size() const { return ready_.size(); }

 private:
  Ddwrr ready_;
};

static_assert(Policy<Odds>);

}  // namespace starpath
