// Makes costed tasks of the records that come with their costs.
#include "sched_policies/apex/costed_tasks.hpp"

#include <algorithm>
#include <limits>

namespace starpath {

bool CostedTasks::seconds_known(GroupId group, const ClassSeconds& seconds) const {
  const auto& [machine, eligibility] = environment_;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (eligibility.has_class(group, id) && !seconds[id]) return false;
  }
  return true;
}

CostedTask& CostedTasks::make(TaskRecord& record, const TaskCosts& costs) {
  constexpr float cannot_run = std::numeric_limits<float>::infinity();
  const auto& [machine, eligibility] = environment_;
  CostedTask& task = *pool_.take();
  task = {};
  task.task = &record;
  record.node = &task;
  record.has_node = true;
  task.least = cannot_run;
  task.seconds.fill(cannot_run);
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (!eligibility.has_class(record.group, id)) continue;
    task.estimates[id] = static_cast<float>(*costs.seconds[id]);
    task.seconds[id] = static_cast<float>(errors_.expected(record.codelet, id, *costs.seconds[id]));
    task.least = std::min(task.least, task.seconds[id]);
  }
  task.position = costs.position;
  task.fills = static_cast<float>(costs.fills);
  task.back = static_cast<float>(costs.back);
  const auto narrow = [](double seconds) { return static_cast<float>(seconds); };
  std::ranges::transform(costs.copies, task.copies.begin(), narrow);
  std::ranges::transform(costs.allocation, task.allocation.begin(), narrow);
  task.type = type_of(task);
  return task;
}

std::uint32_t CostedTasks::type_of(const CostedTask& task) {
  std::pair<GroupId, Ratios> type{task.task->group, {}};
  for (ClassId id = 0; id < environment_.machine.classes().size(); ++id)
    type.second[id] = task.least > 0 ? step_of(task.seconds[id] / task.least) : 0;
  return types_.try_emplace(type, static_cast<std::uint32_t>(types_.size())).first->second;
}

TaskRecord* CostedTasks::release(CostedTask& task) {
  TaskRecord* const record = task.task;
  record->has_node = false;
  pool_.give_back(&task);
  return record;
}

}  // namespace starpath
