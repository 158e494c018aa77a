// Apex: tasks in and out.
#include "sched_policies/apex/apex.hpp"

#include <algorithm>
#include <limits>

namespace starpath {
namespace {

constexpr double kLongestWait = 1;  // seconds after which every worker asks again, if a call to it was lost

}  // namespace

Apex::Apex(PolicyEnvironment environment)
    : forecast_(environment), plan_(forecast_), unknown_(environment.eligibility) {}

void Apex::push(TaskRecord& task) {
  TaskCosts costs;
  for (ClassId id = 0; id < forecast_.environment.machine.classes().size(); ++id) {
    if (const auto speedup = task.speedups.of(id)) costs.seconds[id] = 1 / *speedup;
  }
  push(task, costs, 0);
}

/// For every class that may run tasks of the group.
bool Apex::seconds_known(GroupId group, const ClassSeconds& seconds) const {
  const auto& [machine, eligibility] = forecast_.environment;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (eligibility.has_class(group, id) && !seconds[id]) return false;
  }
  return true;
}

void Apex::submitted(GroupId group, const ClassSeconds& seconds) {
  if (seconds_known(group, seconds)) plan_.prices.submitted(seconds);
}

void Apex::push(TaskRecord& task, const TaskCosts& costs, double now) {
  task.has_node = false;
  now_ = now;
  plan_.renew(now);
  if (!seconds_known(task.group, costs.seconds)) {
    unknown_.insert({task.priority}, task);
    return;
  }
  forecast_.allocated(costs.allocated);
  CostedTask& made = make_costed(task, costs);
  plan_.ready(made, costs.seconds);
  plan_.insert(made, now);
}

CostedTask& Apex::make_costed(TaskRecord& task, const TaskCosts& costs) {
  constexpr float cannot_run = std::numeric_limits<float>::infinity();
  const auto& [machine, eligibility] = forecast_.environment;
  CostedTask& made = *tasks_.take();
  made = {};
  made.task = &task;
  task.node = &made;
  task.has_node = true;
  made.least = cannot_run;
  made.seconds.fill(cannot_run);
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (!eligibility.has_class(task.group, id)) continue;
    made.estimates[id] = static_cast<float>(*costs.seconds[id]);
    made.seconds[id] = static_cast<float>(errors_.expected(task.codelet, id, *costs.seconds[id]));
    made.least = std::min(made.least, made.seconds[id]);
  }
  made.position = costs.position;
  made.fills = static_cast<float>(costs.fills);
  made.back = static_cast<float>(costs.back);
  made.set_tail(costs.tail, plan_.ranked(made, costs.tail));
  const auto narrow = [](double seconds) { return static_cast<float>(seconds); };
  std::ranges::transform(costs.copies, made.copies.begin(), narrow);
  std::ranges::transform(costs.allocation, made.allocation.begin(), narrow);
  made.type = type_of(made);
  return made;
}

std::uint32_t Apex::type_of(const CostedTask& task) {
  std::pair<GroupId, Ratios> type{task.task->group, {}};
  for (ClassId id = 0; id < forecast_.environment.machine.classes().size(); ++id)
    type.second[id] = task.least > 0 ? step_of(task.seconds[id] / task.least) : 0;
  return types_.try_emplace(type, static_cast<std::uint32_t>(types_.size())).first->second;
}

Fetch Apex::fetch() {
  const Places& places = forecast_.places;
  for (PlaceId place = 0; place < places.size(); ++place) {
    CostedTask* const task = plan_.to_fetch(place);
    if (task == nullptr) continue;
    const auto& workers = places[place].workers;
    const auto able = std::ranges::find_if(workers, [&](WorkerId worker) {
      return places.present(worker) && forecast_.environment.eligibility.contains(task->task->group, worker);
    });
    if (able == workers.end()) continue;
    forecast_.start_copies(*task, place, now_);
    plan_.remove(*task);
    ++fetching_;
    return {.task = task->task, .worker = *able};
  }
  return {};
}

void Apex::hold(TaskRecord& record) {
  CostedTask& task = costed(record);
  task.fetched = task.place;
  --fetching_;
  plan_.put_back(task);
}

void Apex::took(WorkerId worker, const void* owner, double now) {
  planned_last_ = false;
  forecast_.times.took(worker, {.task = owner}, now);
}

void Apex::set_tail(TaskRecord& record, double tail, double now) {
  if (!record.has_node) return;
  CostedTask& task = costed(record);
  const bool waiting = task.waiting;
  if (waiting) plan_.remove(task);
  task.set_tail(tail, plan_.ranked(task, tail));
  if (waiting) plan_.insert(task, now);
}

void Apex::finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) {
  const auto taken = forecast_.times.finished(worker, owner, now);
  if (!taken) return;
  forecast_.finished(worker, *taken, ran, now);
  if (ran) errors_.measured(taken->codelet, forecast_.environment.machine.class_of(worker), taken->estimated, *ran);
}

void Apex::set_present(WorkerId worker, bool present) {
  if (forecast_.places.present(worker) == present) return;
  forecast_.places.set_present(worker, present);
  if (!present) forecast_.times.left(worker);
  plan_.renew(now_, true);
}

TaskRecord* Apex::release(CostedTask& task) {
  TaskRecord* const record = task.task;
  record->has_node = false;
  tasks_.give_back(&task);
  return record;
}

TaskRecord* Apex::hand_out(CostedTask& task, WorkerId worker, double now) {
  const PlaceId here = forecast_.places.of(worker);
  const ClassId id = forecast_.places[here].id;
  plan_.remove(task);
  const double arrives = forecast_.start_copies(task, here, now);
  const double wait = std::max(0.0, arrives - forecast_.times.free_at(worker, now));
  forecast_.times.took(worker,
                       {.task = task.task->owner,
                        .seconds = wait + forecast_.places.seconds(task, here),
                        .codelet = task.task->codelet,
                        .estimated = task.estimates[id],
                        .copies = task.started,
                        .allocation = forecast_.places.allocation(task, here)},
                       now);
  return release(task);
}

/// The task of unknown run time that goes before `known`, taken out; nullptr: none.
TaskRecord* Apex::unknown_before(WorkerId worker, const CostedTask* known) {
  const auto found = unknown_.first(worker);
  if (!found) return nullptr;
  const TaskRecord& head = found.front();
  if (known != nullptr && (head.priority != known->task->priority ? head.priority < known->task->priority
                                                                  : head.sequence > known->task->sequence)) {
    return nullptr;
  }
  return unknown_.remove_front(found);
}

TaskRecord* Apex::pop(WorkerId worker) {
  CostedTask* const task = plan_.first_anywhere(worker);
  if (TaskRecord* const unknown = unknown_before(worker, task)) return unknown;
  if (task == nullptr) return nullptr;
  plan_.remove(*task);
  return release(*task);
}

/// Without a look at what others would do: that costs more than it can gain.
TaskRecord* Apex::another(WorkerId worker, double now) {
  if (!planned_last_ || unknown_.size() > 0 || plan_.size() < kNumbers.plenty * forecast_.places.workers())
    return nullptr;
  CostedTask* const task = plan_.first(worker);
  if (task == nullptr) return nullptr;
  const double cost = forecast_.places.cost(*task, forecast_.places.of(worker));
  if (forecast_.times.free_at(worker, now) - now + cost > kNumbers.batch) return nullptr;
  return hand_out(*task, worker, now);
}

Decision Apex::pop(WorkerId worker, double now) {
  now_ = now;
  forecast_.times.asked(worker);
  plan_.renew(now);
  Plan::Elsewhere found{.task = plan_.first(worker)};
  if (found.task == nullptr)
    found = plan_.sooner_here(worker, now);
  else
    found.task = plan_.before(*found.task, worker, now);
  TaskRecord* const unknown = unknown_before(worker, found.task);
  planned_last_ = unknown == nullptr && found.task != nullptr;
  if (planned_last_) return {.task = hand_out(*found.task, worker, now)};
  if (unknown == nullptr) return refuse(worker, found.until, now);
  took(worker, unknown->owner, now);
  return {.task = unknown};
}

/// Names an idle worker for whom a task is planned, if there is one.
Decision Apex::refuse(WorkerId worker, double until, double now) {
  Decision decision{.nobody_works = forecast_.times.all_idle(), .until = std::min(until, now + kLongestWait)};
  for (WorkerId other = 0; other < forecast_.places.workers(); ++other) {
    if (other == worker || !forecast_.places.present(other) || !forecast_.times.idle(other)) continue;
    if (plan_.first(other) == nullptr) continue;
    forecast_.times.called(other, now);
    decision.in_favour_of = other;
    break;
  }
  return decision;
}

}  // namespace starpath
