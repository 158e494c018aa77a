// Apex: tasks in and out.
#include "sched_policies/apex/apex.hpp"

#include <algorithm>

namespace starpath {
namespace {

constexpr double kLongestWait = 1;  // seconds after which every worker asks again, if a call to it was lost

}  // namespace

Apex::Apex(PolicyEnvironment environment)
    : forecast_(environment), plan_(forecast_), tasks_(environment), unknown_(environment) {}

void Apex::submitted(GroupId group, const ClassSeconds& seconds) {
  if (!unknown_.unknown(group, seconds)) plan_.prices.submitted(seconds);
}

void Apex::push(TaskRecord& task, const TaskCosts& costs, double now) {
  task.has_node = false;
  now_ = now;
  plan_.renew(now);
  if (unknown_.unknown(task.group, costs.seconds)) {
    unknown_.insert(task);
    return;
  }
  CostedTask& made = tasks_.make(task, costs);
  made.set_tail(costs.tail, plan_.ranked(costs.tail));
  plan_.ready(made, costs.seconds);
  plan_.insert(made, now);
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
  CostedTask& task = CostedTasks::of(record);
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
  CostedTask& task = CostedTasks::of(record);
  const bool waiting = task.waiting;
  if (waiting) plan_.remove(task);
  task.set_tail(tail, plan_.ranked(tail));
  if (waiting) plan_.insert(task, now);
}

void Apex::finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) {
  const auto taken = forecast_.times.finished(worker, owner, now);
  if (!taken) return;
  forecast_.finished(worker, *taken, ran, now);
  if (ran)
    tasks_.errors.measured(taken->codelet, forecast_.environment.machine.class_of(worker), taken->estimated, *ran);
}

void Apex::set_present(WorkerId worker, bool present) {
  if (forecast_.places.present(worker) == present) return;
  forecast_.places.set_present(worker, present);
  if (!present) forecast_.times.left(worker);
  plan_.renew(now_, true);
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
                        .copies = task.started},
                       now);
  return tasks_.release(task);
}

/// Without a look at what others would do: that costs more than it can gain.
TaskRecord* Apex::another(WorkerId worker, double now) {
  if (!planned_last_ || unknown_.size() > 0 || !plan_.plenty()) return nullptr;
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
  const Plan::Found found = plan_.take(worker, now);
  TaskRecord* const unknown = unknown_.take_before(worker, found.task == nullptr ? nullptr : found.task->task);
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
