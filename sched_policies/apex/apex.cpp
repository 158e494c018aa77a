// Apex: planned tasks or others.
#include "sched_policies/apex/apex.hpp"

#include <algorithm>

namespace starpath {
namespace {

constexpr double kLongestWait = 1;  // seconds after which every worker asks again, if a call to it was lost
// Seconds of a task that is not planned: a plan costs half a microsecond, and empty tasks are measured at about one.
constexpr double kBrief = 2e-6;

}  // namespace

void Apex::submitted(GroupId group, const ClassSeconds& seconds) {
  if (!unplanned_.unknown(group, seconds)) plan_.submitted(seconds);
}

/// Whether the task, whose run times are known, is so short that no plan for it is worth what the plan costs.
bool Apex::brief(GroupId group, const TaskCosts& costs) const {
  double longest = 0;
  for (ClassId id = 0; id < environment_.machine.classes().size(); ++id)
    if (environment_.eligibility.has_class(group, id)) longest = std::max(longest, *costs.seconds[id]);
  return longest + costs.back + std::ranges::max(costs.copies) <= kBrief && !plan_.critical(costs.tail);
}

void Apex::push(TaskRecord& task, const TaskCosts& costs, double now) {
  now_ = now;
  plan_.renew(now);
  const bool unknown = unplanned_.unknown(task.group, costs.seconds);
  task.brief = !unknown && brief(task.group, costs);
  task.has_node = false;
  if (unknown || task.brief)
    unplanned_.insert(task);
  else
    plan_.add(task, costs, now);
}

std::vector<TaskRecord*> Apex::withdraw(CodeletId codelet) {
  std::vector<TaskRecord*> tasks = plan_.withdraw(codelet);
  for (TaskRecord* const task : unplanned_.take_guessed(codelet)) tasks.push_back(task);
  std::ranges::sort(tasks, {}, &TaskRecord::sequence);
  return tasks;
}

Decision Apex::pop(WorkerId worker, double now) {
  now_ = now;
  const Plan::Found planned = plan_.find(worker, now);
  if (TaskRecord* const task = take_unplanned(worker, planned.record(), now)) {
    planned_last_ = false;
    return {.task = task};
  }
  planned_last_ = planned.task != nullptr;
  if (!planned_last_) return refuse(worker, planned.until, now);
  return {.task = plan_.take(*planned.task, worker, now)};
}

/// One that goes before `planned` (nullptr: before nothing); nullptr: there is none.
TaskRecord* Apex::take_unplanned(WorkerId worker, const TaskRecord* planned, double now) {
  TaskRecord* const task = unplanned_.take_before(worker, planned);
  brief_last_ = task != nullptr && task->brief;
  if (task != nullptr) plan_.occupy(worker, task->owner, task->brief ? kBrief : 0, now);
  return task;
}

/// Names an idle worker that has a planned task, if there is one.
Decision Apex::refuse(WorkerId worker, double until, double now) {
  return {.in_favour_of = plan_.call_idle(worker, now),
          .nobody_works = plan_.all_idle(),
          .until = std::min(until, now + kLongestWait)};
}

TaskRecord* Apex::another(WorkerId worker, double now) {
  if (brief_last_) return another_brief(worker, now);
  return planned_last_ && unplanned_.size() == 0 ? plan_.another(worker, now) : nullptr;
}

TaskRecord* Apex::another_brief(WorkerId worker, double now) {
  if (plan_.queued() > 0 || !plan_.plenty(unplanned_.size())) return nullptr;
  const TaskRecord* const next = unplanned_.first(worker);
  return next != nullptr && next->brief ? take_unplanned(worker, nullptr, now) : nullptr;
}

void Apex::took(WorkerId worker, const void* owner, double now) {
  planned_last_ = brief_last_ = false;
  plan_.occupy(worker, owner, 0, now);
}

}  // namespace starpath
