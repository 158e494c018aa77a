// Apex: what workers hold ahead of time.
#include <algorithm>

#include "sched_policies/apex/apex.hpp"

namespace starpath {

double Apex::free_at(WorkerId worker, double now) const {
  double free = times_.free_at(worker, now);
  for (const CostedTask* task : lines_[worker]) free += task->seconds[environment_.machine.class_of(worker)];
  return free;
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

/// The critical task that `worker` should do before the one that it holds; nullptr: none. A look at all that is queued,
/// so only where chains were long at the last look.
CostedTask* Apex::overtaking(WorkerId worker, double now) {
  CostedTask& held = *lines_[worker].front();
  if (!long_chain_ || late(held, now, 0)) return nullptr;
  const Choice choice = choose(worker, now, false);
  if (choice.task == nullptr || !long_chain_ || !critical(*choice.task)) return nullptr;
  const bool suits = cost(*choice.task, place_of_[worker]) <= kSame * choice.task->cheapest;
  if (!suits || choice.task->upward_rank <= kMargin * held.upward_rank) return nullptr;
  left(held, now, 0);
  return choice.task;
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
  costed(task).fetching = false;
  if (!present_[worker]) set_present(worker, false);
}

void Apex::forget(WorkerId worker, TaskRecord& task) {
  CostedTask& own = costed(task);
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
  times_.left(worker);
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
