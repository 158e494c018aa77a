// Apex: Starpath's own policy.
#include "sched_policies/core/apex.hpp"

#include <algorithm>
#include <cmath>

namespace starpath {
namespace {

constexpr double kSame = 1.05;    // costs within this factor are the same
constexpr double kMargin = 1.02;  // a finish later than another place's by less than this is no reason to leave a task
constexpr double kPatience = 8;   // a task is left to others for no longer than this times what they were to take
constexpr double kLongestWait = 1.0;  // seconds: nobody goes without looking again for longer
constexpr double kCritical = 0.5;     // share of the horizon that makes a chain critical

std::size_t rank_level(double rank) {
  return static_cast<std::size_t>(std::clamp(8 * std::log2(std::max(rank, 1e-9) * 1e6), 0.0, 255.0));
}

}  // namespace

bool Apex::Merit::operator<(const Merit& other) const {
  if (critical != other.critical) return other.critical;
  if (level != other.level) return level < other.level;
  if (priority != other.priority) return priority < other.priority;
  return sequence > other.sequence;
}

Apex::Apex(PolicyEnvironment environment)
    : environment_(environment),
      present_(environment.machine.workers()),
      times_(environment.machine.workers()),
      unknown_(environment.eligibility),
      lines_(environment.machine.workers()) {
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

void Apex::push(TaskRecord& task, const TaskCosts& costs) {
  const std::size_t classes = environment_.machine.classes().size();
  task.flag = false;
  refusals_ = 0;
  for (ClassId id = 0; id < classes; ++id) {
    if (environment_.eligibility.has_class(task.group, id) && !costs.seconds[id]) {
      unknown_.insert({task.priority}, task);
      return;
    }
  }
  CostedTask& own = *tasks_.take();
  own.task = &task;
  task.next = reinterpret_cast<TaskRecord*>(&own);
  task.flag = true;
  own.fetching = false;
  own.left_until = 0;
  own.least = kInfinity;
  for (ClassId id = 0; id < classes; ++id) {
    own.seconds[id] = static_cast<float>(costs.seconds[id].value_or(0));
    if (environment_.eligibility.has_class(task.group, id)) own.least = std::min(own.least, *costs.seconds[id]);
  }
  own.rank = own.least + costs.tail;
  std::ranges::transform(costs.copies, own.copies.begin(), [](double copy) { return static_cast<float>(copy); });
  enter(own);
}

void Apex::set_tail(TaskRecord& task, double tail) {
  if (!task.flag) return;
  auto& own = *reinterpret_cast<CostedTask*>(task.next);
  if (!own.waiting) {
    own.rank = own.least + tail;
    return;
  }
  count(own, -1);
  buckets_.rerank(own, own.least + tail);
  count(own, 1);
}

double Apex::least_cost(const CostedTask& task) const {
  double least = kInfinity;
  for (PlaceId place = 0; place < places_.size(); ++place) least = std::min(least, cost(task, place));
  return least;
}

void Apex::enter(CostedTask& task) {
  const double least = least_cost(task);
  std::vector<double> ratios;
  for (PlaceId place = 0; place < places_.size(); ++place) {
    ratios.push_back(least > 0 ? cost(task, place) / least : 1);
  }
  buckets_.insert(task, ratios);
  count(task, 1);
}

void Apex::leave(CostedTask& task) {
  buckets_.remove(task);
  count(task, -1);
}

/// Adds the task to the backlog of the places that suit it best, or takes it out again.
void Apex::count(const CostedTask& task, double sign) {
  const double least = least_cost(task);
  unsigned favourites = 0;
  for (PlaceId place = 0; place < places_.size(); ++place) favourites += cost(task, place) <= kSame * least;
  const std::size_t level = rank_level(task.rank);
  for (PlaceId p = 0; p < places_.size(); ++p) {
    Place& place = places_[p];
    const double own = cost(task, p);
    if (own > 0) place.speed += sign * least * (least / own);
    if (own > kSame * least) continue;
    place.backlog += sign * own / favourites;
    place.by_rank[level] += sign * own / favourites;
  }
  weight_ += sign * least;
  if (buckets_.size() == 0) {  // no rounding errors pile up
    weight_ = 0;
    for (Place& place : places_) {
      place.backlog = place.speed = 0;
      place.by_rank.fill(0);
    }
  }
}

double Apex::free_at(WorkerId worker, double now) const {
  double free = times_.free_at(worker, now);
  for (const CostedTask* task : lines_[worker]) free += task->seconds[environment_.machine.class_of(worker)];
  return free;
}

void Apex::look_around(double now) {
  double chains = 0;
  for (Place& place : places_) {
    place.drained = 0;
  }
  double work = weight_, speed = 0;
  for (WorkerId worker = 0; worker < present_.size(); ++worker) {
    if (!present_[worker]) continue;
    Place& place = places_[place_of_[worker]];
    const double free = free_at(worker, now);
    place.drained += free;
    if (!times_.idle(worker)) chains = std::max(chains, times_.chain_ends(worker, now) - now);
    const double own = weight_ > 0 ? place.speed / weight_ : 0;
    work += own * (free - now);
    speed += own;
  }
  pooled_ = speed > 0 ? now + work / speed : kInfinity;
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) chains = std::max(chains, buckets_[slot].highest().rank);
  horizon_ = std::max(chains, outstanding_);
  for (Place& place : places_) {
    if (place.present == 0) continue;
    const auto workers = static_cast<double>(place.present);
    place.drained = std::min((place.drained + place.backlog) / workers, pooled_);
    double above = 0;
    for (std::size_t level = kRankLevels; level-- > 0;) {
      place.above[level] = above + place.by_rank[level] / 2;
      above += place.by_rank[level];
    }
  }
}

bool Apex::critical(const CostedTask& task) const {
  return task.rank > task.least && task.rank >= kCritical * horizon_;
}

/// When one of the place's workers that may run the task can begin something; infinite without any.
double Apex::first_free(const CostedTask& task, const Place& place, double now) const {
  double first = kInfinity;
  for (const WorkerId worker : place.workers) {
    if (!present_[worker] || !environment_.eligibility.contains(task.task->group, worker)) continue;
    // After so many refusals only who is at work, and will ask, is a reason to leave a task.
    if (refusals_ > present_.size() && times_.idle(worker)) continue;
    first = std::min(first, free_at(worker, now));
  }
  return first;
}

/// When the best of the other places would have finished it: after what is queued there and of a higher rank, or after
/// all that is queued if the task is not critical, but only if it is queued there itself.
double Apex::finish_elsewhere(const CostedTask& task, PlaceId here, double now, PlaceId& best) const {
  const double least = least_cost(task);
  const bool urgent = critical(task);
  double earliest = kInfinity;
  for (PlaceId p = 0; p < places_.size(); ++p) {
    const Place& place = places_[p];
    if (p == here || place.present == 0) continue;
    const double own = cost(task, p);
    if (own == kInfinity) continue;
    const double begin = first_free(task, place, now);
    if (begin == kInfinity) continue;
    const bool favourite = own <= kSame * least;
    double finish = begin + own;
    if (urgent) {
      double above = place.above[rank_level(task.rank)];
      if (favourite) above = std::max(0.0, above - own / 2);
      finish += above / static_cast<double>(place.present);
    } else {
      finish = std::max(finish, favourite ? place.drained : place.drained + own);
    }
    if (finish < earliest) {
      earliest = finish;
      best = p;
    }
  }
  return earliest;
}

double Apex::advantage(const CostedTask& task, PlaceId here) const {
  double other = kInfinity;
  for (PlaceId place = 0; place < places_.size(); ++place) {
    if (places_[place].id != places_[here].id) other = std::min(other, cost(task, place));
  }
  return other / std::max(cost(task, here), 1e-12);
}

/// Whether `worker` should leave the task because another place would finish it sooner; says where and when in
/// `choice`.
bool Apex::leaves(CostedTask& task, WorkerId worker, double now, Choice& choice) const {
  const PlaceId here = place_of_[worker];
  const double finish = std::max(free_at(worker, now), now + copy(task, here)) + seconds(task, here);
  choice.until = finish_elsewhere(task, here, now, choice.better);
  if (finish - now <= kMargin * (choice.until - now)) return false;
  if (task.left_until == 0) task.left_until = now + kPatience * (choice.until - now);
  return now < task.left_until;
}

/// `any`: take the best whatever others would do.
Apex::Choice Apex::choose(WorkerId worker, double now, bool any) {
  const PlaceId here = place_of_[worker];
  look_around(now);
  Choice choice;
  Merit best, refused;
  for (std::size_t slot = 0; slot < buckets_.filled(); ++slot) {
    const CostBucket& bucket = buckets_[slot];
    CostedTask* task = &bucket.first();
    if (!environment_.eligibility.contains(task->task->group, worker)) continue;
    const double gain = advantage(*task, here);
    const bool suits = gain * kSame >= 1;
    const bool urgent = critical(bucket.highest());
    if (urgent) task = suits ? &bucket.highest() : &bucket.lowest();
    const Merit merit{.critical = urgent && suits,
                      .level = urgent && suits ? task->rank : std::round(4 * std::log2(gain)),
                      .priority = task->task->priority,
                      .sequence = task->task->sequence};
    if (choice.task != nullptr && merit < best) continue;
    Choice left;
    if (!any && leaves(*task, worker, now, left)) {
      if (choice.refused == nullptr || refused < merit) {
        refused = merit;
        choice.refused = task;
        choice.better = left.better;
        choice.until = left.until;
      }
      continue;
    }
    choice.task = task;
    best = merit;
  }
  return choice;
}

TaskRecord* Apex::release(CostedTask& task) {
  TaskRecord* const record = task.task;
  record->flag = false;
  tasks_.give_back(&task);
  return record;
}

TaskRecord* Apex::hand_out(CostedTask& task, WorkerId worker, double now) {
  const PlaceId here = place_of_[worker];
  const double wait = std::max(0.0, now + copy(task, here) - times_.free_at(worker, now));
  refusals_ = 0;
  times_.took(worker, task.task->owner, wait + seconds(task, here), task.rank - task.least, now);
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
  const Choice choice = choose(worker, 0, true);
  if (TaskRecord* const unknown = unknown_before(worker, choice.task)) return unknown;
  if (choice.task == nullptr) return nullptr;
  leave(*choice.task);
  return release(*choice.task);
}

Decision Apex::pop(WorkerId worker, double now) {
  auto& line = lines_[worker];
  if (!line.empty() && !line.front()->fetching) {
    CostedTask& own = *line.front();
    line.pop_front();
    --reserved_;
    own.copies.fill(0);  // under way since it was reserved
    return {.task = hand_out(own, worker, now)};
  }
  const Choice choice = choose(worker, now, false);
  if (TaskRecord* const unknown = unknown_before(worker, choice.task)) {
    times_.took(worker, unknown->owner, 0, 0, now);
    return {.task = unknown};
  }
  if (choice.task != nullptr) {
    leave(*choice.task);
    return {.task = hand_out(*choice.task, worker, now)};
  }
  if (CostedTask* const stolen = steal(worker, now)) return {.task = hand_out(*stolen, worker, now)};
  ++refusals_;
  return decline(worker, choice, now);
}

/// The reserved task that `worker` would finish sooner than its owner by most.
CostedTask* Apex::steal(WorkerId worker, double now) {
  const PlaceId here = place_of_[worker];
  const double free = free_at(worker, now);
  double most = 0;
  std::deque<CostedTask*>* from = nullptr;
  std::deque<CostedTask*>::iterator which;
  for (WorkerId owner = 0; owner < lines_.size(); ++owner) {
    if (owner == worker) continue;
    double finish = times_.free_at(owner, now);
    for (auto it = lines_[owner].begin(); it != lines_[owner].end(); ++it) {
      finish += seconds(**it, place_of_[owner]);
      if ((*it)->fetching || !environment_.eligibility.contains((*it)->task->group, worker)) continue;
      const double own = std::max(free, now + copy(**it, here)) + seconds(**it, here);
      const double gain = (finish - now) - kMargin * (own - now);
      if (gain <= most) continue;
      most = gain;
      from = &lines_[owner];
      which = it;
    }
  }
  if (from == nullptr) return nullptr;
  CostedTask* const task = *which;
  from->erase(which);
  --reserved_;
  return task;
}

Decision Apex::decline(WorkerId worker, const Choice& choice, double now) const {
  Decision decision{.nobody_works = times_.all_idle(), .until = std::min(choice.until, now + kLongestWait)};
  // Workers that look at different tasks could name each other for ever.
  if (choice.refused == nullptr || refusals_ > present_.size()) return decision;
  const GroupId group = choice.refused->task->group;
  for (WorkerId other = 0; other < present_.size() && !decision.in_favour_of; ++other) {
    if (other != worker && present_[other] && place_of_[other] == choice.better && times_.idle(other) &&
        environment_.eligibility.contains(group, other)) {
      decision.in_favour_of = other;
    }
  }
  return decision;
}

TaskRecord* Apex::reserve(WorkerId worker, double now) {
  if (!lines_[worker].empty()) return nullptr;
  const Choice choice = choose(worker, now, false);
  if (choice.task == nullptr || copy(*choice.task, place_of_[worker]) == 0) return nullptr;
  CostedTask& task = *choice.task;
  leave(task);
  task.fetching = true;
  lines_[worker].push_back(&task);
  ++reserved_;
  return task.task;
}

void Apex::hold(WorkerId worker, TaskRecord& task) {
  reinterpret_cast<CostedTask*>(task.next)->fetching = false;
  if (!present_[worker]) set_present(worker, false);
}

void Apex::forget(WorkerId worker, TaskRecord& task) {
  auto& own = *reinterpret_cast<CostedTask*>(task.next);
  std::erase(lines_[worker], &own);
  --reserved_;
  release(own);
}

void Apex::set_present(WorkerId worker, bool present) {
  if (present_[worker] != present) {
    present_[worker] = present;
    places_[place_of_[worker]].present += present ? 1 : std::size_t(-1);
  }
  if (present) return;
  std::deque<CostedTask*> kept;
  for (CostedTask* task : lines_[worker]) {
    if (task->fetching) {
      kept.push_back(task);
      continue;
    }
    --reserved_;
    enter(*task);
  }
  lines_[worker] = std::move(kept);
}

}  // namespace starpath
