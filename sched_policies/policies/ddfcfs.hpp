// DDFCFS: demand-driven, first come, first served. Round-robin over the codelets, then the oldest task.
#pragma once
#include <cstddef>

#include "sched_policies/core/codelet_round_robin.hpp"
#include "sched_policies/policies/fcfs.hpp"

namespace starpath {

/// Order: codelets take turns (see CodeletRoundRobin). Within a codelet the higher priority goes first, then the older,
/// as in Fcfs. Priorities of different codelets are not compared. Estimates are not used.
///
/// Example: a1 a2 a3 of codelet a and b1 of codelet b, arrived in that order, leave as a1 b1 a2 a3.
///
/// Source: anthill-2010 section 3. Ours: a codelet that a worker cannot run keeps its turn.
class Ddfcfs {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "ddfcfs",
      .description = "round-robin over the codelets the worker can run, then the oldest task of that codelet",
      .uses_estimates = false,
      .uses_codelets = true};

  explicit Ddfcfs(PolicyEnvironment environment) : codelets_(environment) {}

  void push(TaskRecord& task) { codelets_.push(task); }
  TaskRecord* pop(WorkerId worker) { return codelets_.pop(worker); }
  std::size_t size() const { return codelets_.size(); }

 private:
  CodeletRoundRobin<Fcfs> codelets_;
};

static_assert(Policy<Ddfcfs>);

}  // namespace starpath
