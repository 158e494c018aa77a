// Makes costed tasks of the records that come with their costs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/planning/estimate_errors.hpp"
#include "sched_policies/planning/ratios.hpp"

namespace starpath {

/// Makes a CostedTask for each planned record, and takes it back. Costs are narrowed to floats, estimated run times are
/// corrected by the errors of earlier ones, and a task gets the number of its type. Not thread-safe.
class CostedTasks {
 public:
  explicit CostedTasks(PolicyEnvironment environment) : environment_(environment) {
    const Machine& machine = environment.machine;
    for (WorkerId worker = 0; worker < machine.workers(); ++worker)
      memories_ = std::max(memories_, std::min<std::size_t>(machine.memory_of(worker) + 1, kMaxMemories));
  }

  /// Of a record that has a node.
  static CostedTask& of(const TaskRecord& record) { return static_cast<CostedTask&>(*record.node); }

  /// Of a record whose run times are known, which gets it as its node. The caller sets its tail.
  CostedTask& make(TaskRecord& record, const TaskCosts& costs) {
    constexpr float cannot_run = std::numeric_limits<float>::infinity();
    CostedTask& task = *pool_.take();
    task = {};
    task.task = &record;
    record.node = &task;
    record.has_node = true;
    task.seconds.fill(cannot_run);
    for (ClassId id = 0; id < classes(); ++id) {
      if (!environment_.eligibility.has_class(record.group, id)) continue;
      const double seconds = *costs.seconds[id];
      task.estimates[id] = costs.guessed[id] ? 0 : static_cast<float>(seconds);
      task.seconds[id] = static_cast<float>(costs.guessed[id] ? seconds : errors.expected(record.codelet, id, seconds));
    }
    task.position = costs.position;
    task.fills = static_cast<float>(costs.fills);
    task.back = static_cast<float>(costs.back);
    task.home = costs.home;
    for (MemoryId memory = 0; memory < memories_; ++memory) {
      task.copies[memory] = static_cast<float>(costs.copies[memory]);
      task.allocation[memory] = static_cast<float>(costs.allocation[memory]);
    }
    task.type = type_of(task);
    return task;
  }
  /// Its record, without a node; the task is gone.
  TaskRecord* release(CostedTask& task) {
    TaskRecord* const record = task.task;
    record->has_node = false;
    pool_.give_back(&task);
    return record;
  }

  EstimateErrors errors;  ///< run times become those to expect of estimates as wrong as these turned out to be

 private:
  std::size_t classes() const { return environment_.machine.classes().size(); }
  std::uint32_t type_of(const CostedTask& task) {
    std::pair<GroupId, Ratios> type{task.task->group, {}};
    const float least = *std::ranges::min_element(task.seconds);
    for (ClassId id = 0; id < classes(); ++id) type.second[id] = least > 0 ? step_of(task.seconds[id] / least) : 0;
    return types_.try_emplace(type, static_cast<std::uint32_t>(types_.size())).first->second;
  }

  const PolicyEnvironment environment_;
  std::size_t memories_ = 0;  // of workers, as far as copies to them count
  SlabPool<CostedTask> pool_;
  std::map<std::pair<GroupId, Ratios>, std::uint32_t> types_;  // numbered from 0
};

}  // namespace starpath
