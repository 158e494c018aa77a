// DDWRR: demand-driven dynamic weighted round-robin. Round-robin over the codelets, then the highest weight.
#pragma once
#include <cstddef>

#include "sched_policies/core/codelet_round_robin.hpp"
#include "sched_policies/policies/pams.hpp"

namespace starpath {

/// Order: codelets take turns (see CodeletRoundRobin). Within a codelet a worker takes the task with the highest weight
/// for its class. The weight for an accelerator class is the task's speedup on it. For a CPU it is one over the task's
/// gain, the highest speedup over the accelerators that may run it. (The speedup of a CPU over itself is 1 for every
/// task.) Ties, priorities, unknown speedups and tasks of one kind of device are ordered as in Pams, among the tasks of
/// the codelet. Priorities of different codelets are not compared.
///
/// Example: codelet a has gains a1 2 and a2 9, codelet b has b1 5: an accelerator takes a2, then a CPU takes b1.
///
/// Source: anthill-2010 section 5.2; the CPU's weight is that of its Table 4.
class Ddwrr {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "ddwrr",
      .description = "round-robin over the codelets the worker can run, then the task that suits its class best",
      .uses_estimates = true,
      .uses_codelets = true};

  explicit Ddwrr(PolicyEnvironment environment) : codelets_(environment) {}

  void push(TaskRecord& task) { codelets_.push(task); }
  TaskRecord* pop(WorkerId worker) { return codelets_.pop(worker); }
  std::size_t size() const { return codelets_.size(); }

 private:
  CodeletRoundRobin<Pams> codelets_;
};

static_assert(Policy<Ddwrr>);

}  // namespace starpath
