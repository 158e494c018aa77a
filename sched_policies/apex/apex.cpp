// Apex: what is queued, and who gets what.
#include "sched_policies/apex/apex.hpp"

#include <algorithm>

namespace starpath {
namespace {

constexpr std::size_t kPlenty = 16;   // tasks queued for each worker: fewer are given one by one
constexpr double kLongestWait = 1.0;  // seconds: nobody goes without looking again for longer

}  // namespace

Apex::Apex(PolicyEnvironment environment)
    : environment_(environment),
      present_(environment.machine.workers()),
      times_(environment.machine.workers()),
      prices_(environment.machine),
      unknown_(environment.eligibility),
      lines_(environment.machine.workers()),
      pools_(environment.machine.classes().size()),
      looked_(environment.machine.workers()) {
  const Machine& machine = environment.machine;
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const auto found = std::ranges::find_if(places_, [&](const Place& place) {
      return place.id == machine.class_of(worker) && place.memory == machine.memory_of(worker);
    });
    place_of_.push_back(static_cast<PlaceId>(found - places_.begin()));
    if (found == places_.end())
      places_.push_back({.id = machine.class_of(worker), .memory = machine.memory_of(worker)});
    places_[place_of_.back()].workers.push_back(worker);
  }
}

void Apex::push(TaskRecord& task) {
  TaskCosts costs;
  for (ClassId id = 0; id < environment_.machine.classes().size(); ++id) {
    if (const auto speedup = task.speedups.of(id)) costs.seconds[id] = 1 / *speedup;
  }
  push(task, costs);
}

/// What is not known for every class that may run it has no price.
void Apex::submitted(GroupId group, const ClassSeconds& seconds) {
  for (ClassId id = 0; id < environment_.machine.classes().size(); ++id)
    if (environment_.eligibility.has_class(group, id) && !seconds[id]) return;
  prices_.submitted(seconds);
}

void Apex::push(TaskRecord& task, const TaskCosts& costs) {
  const std::size_t classes = environment_.machine.classes().size();
  task.has_node = false;
  note_event();
  for (ClassId id = 0; id < classes; ++id) {
    if (environment_.eligibility.has_class(task.group, id) && !costs.seconds[id]) {
      unknown_.insert({task.priority}, task);
      return;
    }
  }
  CostedTask& own = *tasks_.take();
  own.task = &task;
  task.node = &own;
  task.has_node = true;
  own.fetching = false;
  own.left_at = -1;
  own.least = std::numeric_limits<float>::infinity();
  for (ClassId id = 0; id < classes; ++id) {
    own.seconds[id] = std::numeric_limits<float>::infinity();
    own.corrected[id] = 0;
    if (!environment_.eligibility.has_class(task.group, id)) continue;
    const auto expected = errors_.expected(task.codelet, id, *costs.seconds[id]);
    own.seconds[id] = static_cast<float>(expected.seconds);
    own.corrected[id] = expected.corrected;
    own.least = std::min(own.least, own.seconds[id]);
  }
  own.upward_rank = own.least + costs.tail;
  std::ranges::transform(costs.copies, own.copies.begin(), [](double copy) { return static_cast<float>(copy); });
  enter(own);
}

void Apex::set_tail(TaskRecord& task, double tail) {
  if (!task.has_node) return;
  CostedTask& own = costed(task);
  if (!own.waiting) {
    own.upward_rank = own.least + tail;
    return;
  }
  note_costs(own);
  count(own, -1);
  buckets_.set_upward_rank(own, own.least + tail);
  own.level = WorkByUpwardRank::level(own.upward_rank);
  count(own, 1);
}

void Apex::enter(CostedTask& task) {
  if (buckets_.size() == 0 && times_.all_idle()) {
    widest_ = 0;
    began_ = -1;
    times_.begin_anew();
  }
  note_costs(task);
  task.cheapest = static_cast<float>(*std::ranges::min_element(costs_));
  if (task.upward_rank != last_upward_rank_) {
    last_upward_rank_ = task.upward_rank;
    last_level_ = WorkByUpwardRank::level(task.upward_rank);
  }
  task.level = last_level_;
  ratios_.clear();
  for (const double own : costs_) ratios_.push_back(task.cheapest > 0 ? own / task.cheapest : 1);
  buckets_.insert(task, ratios_);
  count(task, 1);
}

/// Its cost at each place, for `count`.
void Apex::note_costs(const CostedTask& task) {
  costs_.clear();
  for (PlaceId place = 0; place < places_.size(); ++place) costs_.push_back(cost(task, place));
}

void Apex::leave(CostedTask& task) {
  buckets_.remove(task);
  note_costs(task);
  count(task, -1);
}

/// Adds the task to what is queued, or takes it out again. After note_costs.
void Apex::count(const CostedTask& task, double sign) {
  const double least = task.cheapest;
  unsigned favourites = 0;
  for (const double own : costs_) favourites += own <= kSame * least;
  for (PlaceId p = 0; p < places_.size(); ++p) {
    Place& place = places_[p];
    const double own = costs_[p];
    if (own > 0) place.speed += sign * least * (least / own);
    if (own > kSame * least) continue;
    if (sign > 0)
      place.by_upward_rank.add(task.level, own / favourites);
    else
      place.by_upward_rank.remove(task.level, own / favourites);
  }
  weight_ += sign * least;
  if (buckets_.size() == 0) {  // no rounding errors pile up
    weight_ = 0;
    for (Place& place : places_) place.speed = 0;
  }
}

void Apex::finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) {
  const auto taken = times_.finished(worker, owner, now);
  note_event();
  if (taken && ran) errors_.measured(taken->codelet, environment_.machine.class_of(worker), taken->estimated, *ran);
}

TaskRecord* Apex::release(CostedTask& task) {
  TaskRecord* const record = task.task;
  record->has_node = false;
  tasks_.give_back(&task);
  return record;
}

TaskRecord* Apex::hand_out(CostedTask& task, WorkerId worker, double now) {
  const PlaceId here = place_of_[worker];
  const double wait = std::max(0.0, now + copy(task, here) - times_.free_at(worker, now));
  note_event();
  times_.took(
      worker,
      {.task = task.task->owner,
       .seconds = wait + seconds(task, here),
       .tail = task.upward_rank - task.least,
       .codelet = task.task->codelet,
       .estimated = EstimateErrors::estimated(task.seconds[places_[here].id], task.corrected[places_[here].id])},
      now);
  return release(task);
}

/// The task without estimates that goes before `known`, taken out.
TaskRecord* Apex::unknown_before(WorkerId worker, const CostedTask* known) {
  const auto place = unknown_.first(worker);
  if (!place) return nullptr;
  const TaskRecord& head = place.front();
  if (known != nullptr && (head.priority != known->task->priority ? head.priority < known->task->priority
                                                                  : head.sequence > known->task->sequence)) {
    return nullptr;
  }
  return unknown_.remove_front(place);
}

TaskRecord* Apex::pop(WorkerId worker) {
  const Choice choice = buckets_.size() == 0 ? Choice{} : choose(worker, 0, true);
  if (TaskRecord* const unknown = unknown_before(worker, choice.task)) return unknown;
  if (choice.task == nullptr) return nullptr;
  leave(*choice.task);
  return release(*choice.task);
}

/// Of the same kind as what it was just given, and no more urgent, if all that it has is soon over. Another decision
/// might prefer another kind; what that can gain is less than what it costs.
TaskRecord* Apex::another(WorkerId worker, double now) {
  if (last_given_upward_rank_ < 0 || unknown_.size() > 0 || buckets_.size() < kPlenty * present_.size()) return nullptr;
  const CostBucket& bucket = buckets_.numbered(last_bucket_);
  if (bucket.empty()) return nullptr;
  CostedTask& task = bucket.highest();
  if (task.upward_rank > kSame * last_given_upward_rank_) return nullptr;
  if (times_.free_at(worker, now) - now + cost(task, place_of_[worker]) > kHandful) return nullptr;
  leave(task);
  return hand_out(task, worker, now);
}

Decision Apex::pop(WorkerId worker, double now) {
  last_given_upward_rank_ = -1;
  auto& line = lines_[worker];
  if (!line.empty() && !line.front()->fetching) {
    if (CostedTask* const sooner = overtaking(worker, now)) {
      leave(*sooner);
      return {.task = hand_out(*sooner, worker, now)};
    }
    CostedTask& own = *line.front();
    line.pop_front();
    --reserved_;
    own.copies.fill(0);  // under way since it was reserved
    return {.task = hand_out(own, worker, now)};
  }
  const Choice choice = choose(worker, now, false);
  if (TaskRecord* const unknown = unknown_before(worker, choice.task)) {
    times_.took(worker, {.task = unknown->owner}, now);
    return {.task = unknown};
  }
  if (choice.task != nullptr) {
    last_bucket_ = choice.task->bucket;
    last_given_upward_rank_ = choice.task->upward_rank;
    leave(*choice.task);
    return {.task = hand_out(*choice.task, worker, now)};
  }
  if (CostedTask* const stolen = steal(worker, now)) return {.task = hand_out(*stolen, worker, now)};
  const Decision decision = decline(worker, choice, now);
  ++refusals_;
  looked_[worker] = true;
  return decision;
}

Decision Apex::decline(WorkerId worker, const Choice& choice, double now) const {
  Decision decision{.nobody_works = times_.all_idle(), .until = std::min(choice.until, now + kLongestWait)};
  if (choice.refused == nullptr) return decision;
  const GroupId group = choice.refused->task->group;
  for (WorkerId other = 0; other < present_.size() && !decision.in_favour_of; ++other) {
    if (other != worker && present_[other] && place_of_[other] == choice.better && times_.idle(other) && comes(other) &&
        environment_.eligibility.contains(group, other)) {
      decision.in_favour_of = other;
    }
  }
  return decision;
}

}  // namespace starpath
