// Apex: tasks in and out.
#include "sched_policies/apex/apex.hpp"

#include <algorithm>

namespace starpath {
namespace {

constexpr double kLongestWait = 1;  // seconds after which every worker asks again, if a call to it was lost
// Seconds of a task that is not planned: a plan costs half a microsecond, and empty tasks are measured at about one.
constexpr double kBrief = 2e-6;

}  // namespace

Apex::Apex(PolicyEnvironment environment)
    : forecast_(environment), plan_(forecast_), tasks_(environment), unplanned_(environment) {}

void Apex::submitted(GroupId group, const ClassSeconds& seconds) {
  if (!unplanned_.unknown(group, seconds)) plan_.prices.submitted(seconds);
}

/// Whether no plan for the task, whose run times are known, is worth what it costs.
bool Apex::brief(GroupId group, const TaskCosts& costs) const {
  double longest = 0;
  for (ClassId id = 0; id < forecast_.environment.machine.classes().size(); ++id)
    if (forecast_.environment.eligibility.has_class(group, id)) longest = std::max(longest, *costs.seconds[id]);
  return longest + costs.back + std::ranges::max(costs.copies) <= kBrief && !plan_.critical(costs.tail);
}

void Apex::push(TaskRecord& task, const TaskCosts& costs, double now) {
  now_ = now;
  plan_.renew(now);
  const bool unknown = unplanned_.unknown(task.group, costs.seconds);
  task.brief = !unknown && brief(task.group, costs);
  task.has_node = false;
  if (unknown || task.brief) {
    unplanned_.insert(task);
    return;
  }
  CostedTask& made = tasks_.make(task, costs);
  // StarPU uses memory again once its data are gone, as they soon are in a stream.
  if (plan_.streams()) made.allocation[0] = 0;
  plan_.set_tail(made, costs.tail);
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
    return {.task = task->task, .worker = *able, .priority = plan_.copy_priority(*task)};
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
  planned_last_ = brief_last_ = false;
  forecast_.times.took(worker, {.task = owner}, now);
}

void Apex::set_tail(TaskRecord& record, double tail, double now) {
  if (!record.has_node) return;
  CostedTask& task = CostedTasks::of(record);
  const bool waiting = task.waiting;
  if (waiting) plan_.remove(task);
  plan_.set_tail(task, tail);
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
  if (brief_last_) return another_brief(worker, now);
  if (!planned_last_ || unplanned_.size() > 0 || !plan_.plenty(plan_.size())) return nullptr;
  CostedTask* const task = plan_.first(worker);
  if (task == nullptr) return nullptr;
  const double cost = forecast_.places.cost(*task, forecast_.places.of(worker));
  if (forecast_.times.free_at(worker, now) - now + cost > kNumbers.batch) return nullptr;
  return hand_out(*task, worker, now);
}

TaskRecord* Apex::another_brief(WorkerId worker, double now) {
  if (plan_.size() > 0 || !plan_.plenty(unplanned_.size())) return nullptr;
  const TaskRecord* const next = unplanned_.first(worker);
  return next != nullptr && next->brief ? take_unplanned(worker, nullptr, now) : nullptr;
}

/// One that goes before `planned`; nullptr: there is none.
TaskRecord* Apex::take_unplanned(WorkerId worker, const TaskRecord* planned, double now) {
  TaskRecord* const task = unplanned_.take_before(worker, planned);
  brief_last_ = task != nullptr && task->brief;
  if (task != nullptr) forecast_.times.took(worker, {.task = task->owner, .seconds = task->brief ? kBrief : 0}, now);
  return task;
}

Decision Apex::pop(WorkerId worker, double now) {
  now_ = now;
  forecast_.times.asked(worker);
  plan_.renew(now);
  const Plan::Found found = plan_.take(worker, now);
  TaskRecord* const unplanned = take_unplanned(worker, found.task == nullptr ? nullptr : found.task->task, now);
  planned_last_ = unplanned == nullptr && found.task != nullptr;
  if (planned_last_) {
    TaskRecord* const task = hand_out(*found.task, worker, now);
    plan_.plan_next(worker, now);
    return {.task = task};
  }
  return unplanned != nullptr ? Decision{.task = unplanned} : refuse(worker, found.until, now);
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
