// The plan: tasks in and out of the queues of places.
#include "sched_policies/apex/plan.hpp"

#include <algorithm>

namespace starpath {

Plan::Plan(PolicyEnvironment environment)
    : eligibility_(environment.eligibility),
      tasks_(environment),
      forecast_(environment),
      places_(forecast_.places),
      prices_(environment.machine),
      queues_(places_.size()),
      candidates_(environment.machine.classes().size()) {}

void Plan::add(TaskRecord& record, const TaskCosts& costs, double now) {
  CostedTask& task = tasks_.make(record, costs);
  // StarPU uses memory again once its data are gone, as they soon are in a stream.
  if (streams()) task.allocation[0] = 0;
  rank(task, costs.tail);
  count_copies(task, costs.seconds);
  plan(task, choose(task, now));
}

std::vector<TaskRecord*> Plan::withdraw(CodeletId codelet) {
  std::vector<CostedTask*> planned;
  for (PlaceQueue& queue : queues_)
    queue.each([&](CostedTask& task) {
      if (task.task->codelet == codelet) planned.push_back(&task);
    });
  std::vector<TaskRecord*> records;
  for (CostedTask* const task : planned) {
    remove(*task);
    records.push_back(tasks_.release(*task));
  }
  std::ranges::sort(records, {}, &TaskRecord::sequence);
  return records;
}

void Plan::set_tail(TaskRecord& record, double tail, double now) {
  CostedTask& task = CostedTasks::of(record);
  if (!task.waiting) {
    rank(task, tail);
    return;
  }
  const Urgency urgency = urgency_of(task, tail);
  if (orders_only() && urgency == task.urgency) {  // its place in the order stays
    task.tail = tail;
    return;
  }
  remove(task);
  rank(task, tail);
  plan(task, choose(task, now));
}

Urgency Plan::urgency_of(const CostedTask& task, double tail) const {
  const std::uint32_t rank = rank_of(tail + *std::ranges::min_element(task.seconds));
  return {.critical = critical(tail) ? rank : 0,
          .priority = task.task->priority,
          .rank = orders_only() && !streams() ? rank : 0,
          .local = task.urgency.local};
}

/// Sets the tail of a task that is in no queue, and with it the task's urgency.
void Plan::rank(CostedTask& task, double tail) const {
  task.urgency = urgency_of(task, tail);
  task.tail = tail;
}

void Plan::plan(CostedTask& task, const Candidate& chosen) {
  task.place = chosen.place;
  task.work = chosen.work();
  put_back(task);
}

/// To the place where it was planned.
void Plan::put_back(CostedTask& task) {
  task.waiting = true;
  task.urgency.local = places_.copy(task, task.place) <= 0;
  task.planned = static_cast<float>(places_.copies(task, task.place));
  queues_[task.place].insert(task);
  forecast_.set_planned(task.place, queues_[task.place].copies());
  ++queued_;
}

void Plan::remove(CostedTask& task) {
  task.waiting = false;
  queues_[task.place].remove(task);
  forecast_.set_planned(task.place, queues_[task.place].copies());
  --queued_;
}

void Plan::renew(double now, bool always, bool wrong) {
  const double known = outstanding_.seconds;
  if (!always && known <= 2 * planned_for_ && 2 * known >= planned_for_) return;
  planned_for_ = known;
  if (queued_ == 0 || ((!always || wrong) && queued_ > kNumbers.renewed)) return;
  std::vector<CostedTask*> tasks;
  tasks.reserve(queued_);
  for (PlaceQueue& queue : queues_) {
    while (CostedTask* const task = queue.any()) {
      remove(*task);
      rank(*task, task->tail);
      tasks.push_back(task);
    }
  }
  std::ranges::sort(tasks, [](const CostedTask* a, const CostedTask* b) { return PlaceQueue::goes_before(*a, *b); });
  for (CostedTask* const task : tasks) {
    const Candidate chosen = choose(*task, now);
    const Places::Place& before = places_[task->place];
    // its data, or on the way
    const bool there =
        before.present > 0 && (wrong ? task->fetched == task->place : places_.copies(*task, task->place) <= 0);
    if (there && !candidates_[before.id].too_dear)
      put_back(*task);
    else
      plan(*task, chosen);
  }
}

Fetch Plan::fetch(double now) {
  for (PlaceId place = 0; place < places_.size(); ++place) {
    CostedTask* const task = first_remote(place);
    if (task == nullptr) continue;
    const auto worker = present_worker_for(*task, place);
    if (!worker) continue;
    forecast_.start_copies(*task, place, now);
    remove(*task);
    ++fetching_;
    return {.task = task->task, .worker = *worker, .priority = copy_priority(*task)};
  }
  return {};
}

std::optional<WorkerId> Plan::present_worker_for(const CostedTask& task, PlaceId place) const {
  for (const WorkerId worker : places_[place].workers)
    if (places_.present(worker) && eligibility_.contains(task.task->group, worker)) return worker;
  return std::nullopt;
}

/// Of a task's copies: the longest tail first, whether critical or not, then as the application says.
int Plan::copy_priority(const CostedTask& task) const {
  const auto rank = streams() ? 0 : static_cast<int>(rank_of(task.tail));
  return rank > 0 ? std::numeric_limits<int>::max() - kHighestRank + rank : task.task->priority;
}

void Plan::hold(TaskRecord& record) {
  CostedTask& task = CostedTasks::of(record);
  task.fetched = task.place;
  --fetching_;
  put_back(task);
}

Plan::Found Plan::find(WorkerId worker, double now) {
  forecast_.times.asked(worker);
  renew(now);
  CostedTask* const own = first(worker);
  return own != nullptr ? Found{.task = own} : sooner_here(worker, now);
}

TaskRecord* Plan::take(CostedTask& task, WorkerId worker, double now) {
  TaskRecord* const record = hand_out(task, worker, now);
  plan_next(worker, now);
  return record;
}

TaskRecord* Plan::another(WorkerId worker, double now) {
  if (!plenty(queued_)) return nullptr;
  CostedTask* const task = first(worker);
  if (task == nullptr) return nullptr;
  const double cost = places_.cost(*task, places_.of(worker));
  if (forecast_.times.free_at(worker, now) - now + cost > kNumbers.batch) return nullptr;
  return hand_out(*task, worker, now);
}

TaskRecord* Plan::hand_out(CostedTask& task, WorkerId worker, double now) {
  const PlaceId here = places_.of(worker);
  remove(task);
  const double arrives = forecast_.start_copies(task, here, now);
  const double wait = std::max(0.0, arrives - forecast_.times.free_at(worker, now));
  forecast_.times.took(worker,
                       {.task = task.task->owner,
                        .seconds = wait + places_.seconds(task, here),
                        .codelet = task.task->codelet,
                        .estimated = task.estimates[places_[here].id],
                        .copies = task.started},
                       now);
  return tasks_.release(task);
}

void Plan::plan_next(WorkerId worker, double now) {
  const PlaceId here = places_.of(worker);
  if (queues_[here].size() > 0) return;
  CostedTask* const task = sooner_here(worker, now).task;
  if (task == nullptr || task->fetched != kNowhere || places_.copies(*task, here) <= 0) return;
  remove(*task);
  const double begin = forecast_.times.free_at(worker, now);
  plan(*task, {.begin = begin, .finish = end(*task, here, begin, now), .place = here});
}

void Plan::finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) {
  const auto taken = forecast_.times.finished(worker, owner, now);
  if (!taken || !ran) return;
  forecast_.ran(worker, *taken, *ran, now);
  tasks_.errors.measured(taken->codelet, places_[places_.of(worker)].id, taken->estimated, *ran);
}

void Plan::set_present(WorkerId worker, bool present, double now) {
  if (places_.present(worker) == present) return;
  forecast_.places.set_present(worker, present);
  if (!present) forecast_.times.left(worker);
  renew(now, true);
}

std::optional<WorkerId> Plan::call_idle(WorkerId beside, double now) {
  for (WorkerId other = 0; other < places_.workers(); ++other) {
    if (other == beside || !places_.present(other) || !forecast_.times.idle(other)) continue;
    if (first(other) == nullptr) continue;
    forecast_.times.called(other, now);
    return other;
  }
  return std::nullopt;
}

}  // namespace starpath
