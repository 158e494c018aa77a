// Apex: tasks in and out.
#include "sched_policies/apex/apex.hpp"

#include <algorithm>
#include <limits>

#include "sched_policies/apex/by_price.hpp"

namespace starpath {
namespace {

constexpr std::size_t kPlenty = 16;      // queued tasks for each worker: with fewer, each task is decided about
constexpr double kBatchSeconds = 10e-6;  // `another` gives a worker no more work than this
constexpr double kLongestWait = 1.0;     // seconds after which every worker asks again

}  // namespace

Apex::Apex(PolicyEnvironment environment)
    : situation_(environment), by_finish_(situation_), unknown_(environment.eligibility) {}

void Apex::push(TaskRecord& task) {
  TaskCosts costs;
  for (ClassId id = 0; id < situation_.environment.machine.classes().size(); ++id) {
    if (const auto speedup = task.speedups.of(id)) costs.seconds[id] = 1 / *speedup;
  }
  push(task, costs);
}

/// For every class that may run tasks of the group.
bool Apex::seconds_known(GroupId group, const ClassSeconds& seconds) const {
  const auto& [machine, eligibility] = situation_.environment;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    if (eligibility.has_class(group, id) && !seconds[id]) return false;
  }
  return true;
}

void Apex::submitted(GroupId group, const ClassSeconds& seconds) {
  if (seconds_known(group, seconds)) situation_.prices.submitted(seconds);
}

void Apex::push(TaskRecord& task, const TaskCosts& costs) {
  task.has_node = false;
  situation_.refusals.reset();
  if (seconds_known(task.group, costs.seconds))
    insert(make_costed(task, costs));
  else
    unknown_.insert({task.priority}, task);
}

CostedTask& Apex::make_costed(TaskRecord& task, const TaskCosts& costs) {
  constexpr float kCannotRun = std::numeric_limits<float>::infinity();
  const auto& [machine, eligibility] = situation_.environment;
  CostedTask& made = *tasks_.take();
  made.task = &task;
  task.node = &made;
  task.has_node = true;
  made.fetching = false;
  made.left_at = -1;
  made.least = kCannotRun;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    made.seconds[id] = kCannotRun;
    made.corrected[id] = 0;
    if (!eligibility.has_class(task.group, id)) continue;
    const auto expected = situation_.errors.expected(task.codelet, id, *costs.seconds[id]);
    made.seconds[id] = static_cast<float>(expected.seconds);
    made.corrected[id] = expected.corrected;
    made.least = std::min(made.least, made.seconds[id]);
  }
  made.upward_rank = made.least + costs.tail;
  std::ranges::transform(costs.copies, made.copies.begin(), [](double copy) { return static_cast<float>(copy); });
  return made;
}

void Apex::insert(CostedTask& task) {
  if (situation_.queued.size() == 0 && situation_.times.all_idle()) situation_.begin_anew();
  situation_.queued.insert(task);
}

void Apex::set_tail(TaskRecord& task, double tail) {
  if (!task.has_node) return;
  CostedTask& changed = costed(task);
  if (changed.waiting)
    situation_.queued.set_upward_rank(changed, changed.least + tail);
  else
    changed.upward_rank = changed.least + tail;
}

void Apex::finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) {
  const auto taken = situation_.times.finished(worker, owner, now);
  situation_.refusals.reset();
  const ClassId id = situation_.environment.machine.class_of(worker);
  if (taken && ran) situation_.errors.measured(taken->codelet, id, taken->estimated, *ran);
}

TaskRecord* Apex::release(CostedTask& task) {
  TaskRecord* const record = task.task;
  record->has_node = false;
  tasks_.give_back(&task);
  return record;
}

TaskRecord* Apex::hand_out(CostedTask& task, WorkerId worker, double now) {
  const Places& places = situation_.places;
  const PlaceId here = places.of(worker);
  const ClassId id = places[here].id;
  const double wait = std::max(0.0, now + places.copy(task, here) - situation_.times.free_at(worker, now));
  situation_.refusals.reset();
  situation_.times.took(worker,
                        {.task = task.task->owner,
                         .seconds = wait + places.seconds(task, here),
                         .tail = task.upward_rank - task.least,
                         .codelet = task.task->codelet,
                         .estimated = EstimateErrors::estimated(task.seconds[id], task.corrected[id])},
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

/// `any`: the best task whatever others would do.
Choice Apex::choose(WorkerId worker, double now, bool any) {
  situation_.update(now);
  if (any || situation_.rates.empty() || situation_.long_chain) return by_finish_.choose(worker, now, any);
  return choose_by_price(situation_, worker, now);
}

TaskRecord* Apex::pop(WorkerId worker) {
  const Choice choice = situation_.queued.size() == 0 ? Choice{} : choose(worker, 0, true);
  if (TaskRecord* const unknown = unknown_before(worker, choice.task)) return unknown;
  if (choice.task == nullptr) return nullptr;
  situation_.queued.remove(*choice.task);
  return release(*choice.task);
}

/// A decision might prefer another bucket, but what that can gain is less than what the decision costs.
TaskRecord* Apex::another(WorkerId worker, double now) {
  QueuedWork& queued = situation_.queued;
  if (last_upward_rank_ < 0 || unknown_.size() > 0) return nullptr;
  if (queued.size() < kPlenty * situation_.places.workers()) return nullptr;
  const CostBucket& bucket = queued.buckets().numbered(last_bucket_);
  if (bucket.empty()) return nullptr;
  CostedTask& task = bucket.highest();
  if (task.upward_rank > kSameCost * last_upward_rank_) return nullptr;
  const double cost = situation_.places.cost(task, situation_.places.of(worker));
  if (situation_.times.free_at(worker, now) - now + cost > kBatchSeconds) return nullptr;
  queued.remove(task);
  return hand_out(task, worker, now);
}

Decision Apex::pop(WorkerId worker, double now) {
  last_upward_rank_ = -1;
  if (TaskRecord* const reserved = take_reserved(worker, now)) return {.task = reserved};
  const Choice choice = choose(worker, now, false);
  if (TaskRecord* const unknown = unknown_before(worker, choice.task)) {
    situation_.times.took(worker, {.task = unknown->owner}, now);
    return {.task = unknown};
  }
  if (choice.task != nullptr) {
    last_bucket_ = choice.task->bucket;
    last_upward_rank_ = choice.task->upward_rank;
    situation_.queued.remove(*choice.task);
    return {.task = hand_out(*choice.task, worker, now)};
  }
  if (CostedTask* const stolen = steal(worker, now)) return {.task = hand_out(*stolen, worker, now)};
  return refuse(worker, choice, now);
}

/// Names the idle worker that should have the best of the refused tasks, if there is one.
Decision Apex::refuse(WorkerId worker, const Choice& choice, double now) {
  Decision decision{.nobody_works = situation_.times.all_idle(), .until = std::min(choice.until, now + kLongestWait)};
  const auto should_ask = [&](WorkerId other) {
    return other != worker && situation_.places.present(other) && situation_.places.of(other) == choice.better &&
           situation_.times.idle(other) && situation_.refusals.will_ask(other, true) &&
           situation_.environment.eligibility.contains(choice.refused->task->group, other);
  };
  for (WorkerId other = 0; choice.refused != nullptr && other < situation_.places.workers(); ++other) {
    if (!should_ask(other)) continue;
    decision.in_favour_of = other;
    break;
  }
  situation_.refusals.note(worker);
  return decision;
}

}  // namespace starpath
