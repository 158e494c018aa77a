// Makes costed tasks of the records that come with their costs.
#pragma once
#include <cstdint>
#include <map>
#include <utility>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/estimate_errors.hpp"
#include "sched_policies/apex/ratios.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/slab_pool.hpp"

namespace starpath {

/// Costs are narrowed to floats, run times become those to expect of estimates as wrong as these turned out to be
/// (EstimateErrors), and a task gets the number of its type. Not thread-safe.
class CostedTasks {
 public:
  explicit CostedTasks(PolicyEnvironment environment) : environment_(environment) {}

  /// Of a record that has a node.
  static CostedTask& of(const TaskRecord& record) { return static_cast<CostedTask&>(*record.node); }

  /// Whether there is a run time for every class that may run tasks of the group.
  bool seconds_known(GroupId group, const ClassSeconds& seconds) const;
  /// Of a record whose run times are known, which gets it as its node. The caller sets its tail.
  CostedTask& make(TaskRecord& record, const TaskCosts& costs);
  /// Its record, without a node; the task is gone.
  TaskRecord* release(CostedTask& task);
  /// As EstimateErrors::measured.
  void measured(CodeletId codelet, ClassId id, double estimated, double seconds) {
    errors_.measured(codelet, id, estimated, seconds);
  }

 private:
  std::uint32_t type_of(const CostedTask& task);

  const PolicyEnvironment environment_;
  EstimateErrors errors_;
  SlabPool<CostedTask> pool_;
  std::map<std::pair<GroupId, Ratios>, std::uint32_t> types_;  // numbered from 0
};

}  // namespace starpath
