// One scheduling context under one policy: tasks taken ahead of the policy's order, or reserved ahead of time.
#include <algorithm>

#include "sched_policies/adapter/context.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// The next task for `worker`: its line's, else the policy's, unless a task that reuses data is preferred; else one
/// that another worker reserved. The record's state is `gone` when the policy's queue still holds it.
QueuedTask* Context::take_ahead(WorkerId worker) {
  if (QueuedTask* const parked = take_parked(worker)) return parked;
  auto& line = look_ahead_->line(worker);
  while (true) {
    if (line.empty()) {
      QueuedTask* const chosen = take_queued(worker);
      if (chosen == nullptr) break;
      hold(*chosen, worker);
    }
    QueuedTask& choice = *line.front();
    QueuedTask* const better = look_ahead_->better_than(choice, worker, [&](QueuedTask& other) {
      return other.state == QueuedTask::State::queued && queue_->eligibility().contains(other.group, worker) &&
             prepare(*other.task(), worker);
    });
    if (better != nullptr) {
      better->state = QueuedTask::State::gone;
      --queued_in_group_[better->group];
      starpu_sched_task_break(better->task());
      return better;
    }
    line.pop_front();
    --queued_in_group_[choice.group];
    if (prepare(*choice.task(), worker)) return &choice;
    queue_for_others(choice, worker);
  }
  return take_reserved(worker);
}

/// What another worker reserved and has not come for, the latest of the longest line.
QueuedTask* Context::take_reserved(WorkerId worker) {
  QueuedTask* found = nullptr;
  std::size_t longest = 0;
  for (WorkerId other = 0; other < look_ahead_->workers(); ++other) {
    const auto& line = look_ahead_->line(other);
    if (line.size() <= longest) continue;
    const auto last = std::find_if(line.rbegin(), line.rend(), [&](QueuedTask* record) {
      return queue_->eligibility().contains(record->group, worker) && prepare(*record->task(), worker);
    });
    if (last == line.rend()) continue;
    found = *last;
    longest = line.size();
  }
  if (found == nullptr) return nullptr;
  for (WorkerId other = 0; other < look_ahead_->workers(); ++other) std::erase(look_ahead_->line(other), found);
  prepare(*found->task(), worker);
  --queued_in_group_[found->group];
  return found;
}

/// Puts a task that the policy gave up in the worker's line. It counts as queued again.
void Context::hold(QueuedTask& record, WorkerId worker) {
  record.state = QueuedTask::State::reserved;
  ++queued_in_group_[record.group];
  look_ahead_->line(worker).push_back(&record);
}

/// Takes from the policy what `worker` should reserve. Tasks without data are reserved at once; the others are
/// returned, and nobody else's until `reserve`.
std::vector<QueuedTask*> Context::choose_reservations(WorkerId worker) {
  std::vector<QueuedTask*> fresh;
  while (look_ahead_->has_room(worker, fresh)) {
    QueuedTask* const chosen = take_queued(worker);
    if (chosen == nullptr) break;
    chosen->state = QueuedTask::State::reserved;
    look_ahead_->requested(worker, *chosen);
    if (STARPU_TASK_GET_NBUFFERS(chosen->task()) == 0) {
      hold(*chosen, worker);
    } else {
      fresh.push_back(chosen);
    }
  }
  queued_.fetch_sub(fresh.size());
  return fresh;
}

/// Starts the transfers of what `worker` reserves, then lets others see it, as if it had just been pushed.
void Context::reserve(WorkerId worker, const std::vector<QueuedTask*>& fresh) {
  for (QueuedTask* record : fresh) {
    record->fetched = true;
    if (record->task()->prefetched == 0)  // StarPU prefetches a task once only
      starpu_prefetch_task_input_for(record->task(), worker);
  }
  std::vector<int> wakes;
  {
    const RelaxedLock lock(mutex_.get());
    catch_up();
    for (QueuedTask* record : fresh) {
      if (planning_ != nullptr) {
        planning_->hold(worker, *record);
      } else {
        hold(*record, worker);
      }
    }
    queued_.fetch_add(fresh.size());
    if (look_ahead_) give_back_reservations();  // should this worker have left meanwhile
    wakes = choose_wakes();
  }
  wake(wakes);
}

/// Workers that left get no more tasks here: what they reserved is the policy's again.
void Context::give_back_reservations() {
  for (WorkerId worker = 0; worker < look_ahead_->workers(); ++worker) {
    auto& line = look_ahead_->line(worker);
    if (line.empty() || starpu_sched_ctx_contains_worker(static_cast<int>(worker), id_) != 0) continue;
    for (QueuedTask* record : line) {
      record->sequence = next_sequence_++;
      record->state = QueuedTask::State::queued;
      queue_->push(*record);
    }
    line.clear();
  }
}

}  // namespace starpath
