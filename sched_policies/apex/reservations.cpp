// Apex: the tasks that workers reserve.
#include <utility>

#include "sched_policies/apex/apex.hpp"

namespace starpath {

TaskRecord* Apex::reserve(WorkerId worker, double now) {
  if (situation_.reserved[worker] != nullptr) return nullptr;
  const Choice choice = choose(worker, now, false);
  if (choice.task == nullptr || situation_.places.copy(*choice.task, situation_.places.of(worker)) == 0) return nullptr;
  situation_.queued.remove(*choice.task);
  choice.task->fetching = true;
  situation_.reserved[worker] = choice.task;
  ++reserved_;
  return choice.task->task;
}

void Apex::hold(WorkerId worker, TaskRecord& task) {
  costed(task).fetching = false;
  if (!situation_.places.present(worker)) set_present(worker, false);
}

void Apex::forget(WorkerId worker, TaskRecord& task) {
  situation_.reserved[worker] = nullptr;
  --reserved_;
  release(costed(task));
}

/// What the worker reserved, or the task that goes before it; nullptr: nothing is ready.
TaskRecord* Apex::take_reserved(WorkerId worker, double now) {
  CostedTask* const reserved = situation_.reserved[worker];
  if (reserved == nullptr || reserved->fetching) return nullptr;
  if (CostedTask* const sooner = overtaking(worker, now)) {
    situation_.queued.remove(*sooner);
    return hand_out(*sooner, worker, now);
  }
  situation_.reserved[worker] = nullptr;
  --reserved_;
  reserved->copies.fill(0);  // under way since it was reserved
  return hand_out(*reserved, worker, now);
}

/// The critical task that goes before the one that the worker reserved; nullptr: none. The search looks at all queued
/// tasks, so it is made only if a chain was long at the last decision.
CostedTask* Apex::overtaking(WorkerId worker, double now) {
  CostedTask& reserved = *situation_.reserved[worker];
  if (!situation_.long_chain || situation_.late(reserved, now, 0)) return nullptr;
  const Choice choice = choose(worker, now, false);
  if (choice.task == nullptr || !situation_.long_chain || !situation_.critical(*choice.task)) return nullptr;
  const double cost = situation_.places.cost(*choice.task, situation_.places.of(worker));
  if (cost > kSameCost * choice.task->cheapest) return nullptr;
  if (choice.task->upward_rank <= kSameFinish * reserved.upward_rank) return nullptr;
  situation_.leave(reserved, now, 0);
  return choice.task;
}

/// The reserved task of another worker that `worker` would finish sooner than that one, by the most; taken out.
CostedTask* Apex::steal(WorkerId worker, double now) {
  const Places& places = situation_.places;
  const PlaceId here = places.of(worker);
  const double free = situation_.free_at(worker, now);
  double most = 0;
  CostedTask** best = nullptr;
  for (WorkerId owner = 0; owner < places.workers(); ++owner) {
    CostedTask* const task = situation_.reserved[owner];
    if (owner == worker || task == nullptr || task->fetching) continue;
    if (!situation_.environment.eligibility.contains(task->task->group, worker)) continue;
    const double there = situation_.times.free_at(owner, now) + places.seconds(*task, places.of(owner));
    const double finish = std::max(free, now + places.copy(*task, here)) + places.seconds(*task, here);
    const double gain = (there - now) - kSameFinish * (finish - now);
    if (gain <= most) continue;
    most = gain;
    best = &situation_.reserved[owner];
  }
  if (best == nullptr) return nullptr;
  --reserved_;
  return std::exchange(*best, nullptr);
}

void Apex::set_present(WorkerId worker, bool present) {
  situation_.places.set_present(worker, present);
  if (present) return;
  situation_.times.left(worker);
  CostedTask* const reserved = situation_.reserved[worker];
  if (reserved == nullptr || reserved->fetching) return;
  situation_.reserved[worker] = nullptr;
  --reserved_;
  insert(*reserved);
}

}  // namespace starpath
