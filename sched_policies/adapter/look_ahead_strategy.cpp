// Tasks in the policy's order, but accelerators reserve some ahead of time and prefer those whose data they hold.
#include "sched_policies/adapter/look_ahead_strategy.hpp"

#include <algorithm>
#include <utility>

#include "sched_policies/adapter/turn.hpp"

namespace starpath {

using State = ReservableTask::State;

LookAheadStrategy::LookAheadStrategy(const ContextFacts& context, std::unique_ptr<PolicyQueue> queue)
    : context_(context),
      queue_(std::move(queue)),
      tasks_(context, queue_->eligibility()),
      look_ahead_(context.machine, context.info, context.options) {}

void LookAheadStrategy::push(starpu_task& task) {
  const ReadyTasks::Look look = tasks_.look_at(task);
  // No accelerator will reserve it, and StarPU, which would do this, leaves all copies to us.
  if (look_ahead_.prefetches() && task.where == STARPU_CPU) starpu_prefetch_task_input_on_node(&task, STARPU_MAIN_RAM);
  Turn turn(tasks_.mutex());
  ReservableTask& record = *records_.take();
  tasks_.fill(record, task, look);
  record.state = State::kept;
  if (tasks_.admit(record, look.able ? &*look.able : nullptr, look.types) &&
      !tasks_.keeps(record, look.estimates.seconds, look.estimates.never_known, look.first_samples)) {
    enqueue(record);
  }
  look_ahead_.queued(record);
  tasks_.queued.fetch_add(1);
  starpu_push_task_end(&task);
  turn.wake(tasks_.choose_wakes());
}

starpu_task* LookAheadStrategy::pop(WorkerId worker) {
  if (tasks_.waits(worker) || !tasks_.any(worker)) return nullptr;
  std::vector<ReservableTask*> fresh;
  starpu_task* task = nullptr;
  {
    Turn turn(tasks_.mutex());
    records_.recycle(worker);
    if (ReservableTask* const record = take(worker)) {
      task = record->task();
      context_.predict(worker, *record);
      fresh = choose_reservations(worker);
      if (record->state != State::gone) records_.hand_out(worker, record);
      tasks_.queued.fetch_sub(1);
    } else {
      if (tasks_.may_wait()) context_.waiters.insert(worker);
      look_ahead_.idle(worker);
    }
    if (tasks_.queued.load(std::memory_order_relaxed) != 0) turn.wake(tasks_.choose_wakes());
  }
  if (!fresh.empty()) reserve(worker, fresh);
  return task == nullptr ? nullptr : tasks_.hand_over(*task, worker);
}

void LookAheadStrategy::workers_left() {
  const Turn turn(tasks_.mutex());
  tasks_.note_presence();
  give_back_reservations();
}

bool LookAheadStrategy::follows(WorkerId worker) const {
  return look_ahead_.measures() && context_.machine.kind_of(worker) == DeviceKind::accelerator;
}

void LookAheadStrategy::finished(const starpu_task& task, const Execution& execution) {
  if (!execution.foreign && follows(execution.worker))
    look_ahead_.finished(execution.worker, &task, execution.finished, execution.seconds());
}

void LookAheadStrategy::finished_unreported(const ExecutionWatch::UnreportedEnd& end) {
  if (!end.internal && !end.execution.foreign && follows(end.execution.worker)) {
    look_ahead_.finished(end.execution.worker, nullptr, end.execution.finished, end.execution.seconds());
  }
}

ReservableTask* LookAheadStrategy::take(WorkerId worker) {
  look_ahead_.look_for_answers(worker);
  ReservableTask* const record = take_ahead(worker);
  if (record == nullptr) return nullptr;
  context_.taken(worker, *record);
  look_ahead_.handed_out(worker, *record);
  return record;
}

/// The next task for `worker`: one that was parked, else one from its line, else one that another worker reserved; or
/// one kept until its run time is known. Its state is `gone` when the policy's queue still holds it.
ReservableTask* LookAheadStrategy::take_ahead(WorkerId worker) {
  if (QueuedTask* const parked = tasks_.take_parked(worker)) return static_cast<ReservableTask*>(parked);
  for (TaskRecord* const released : tasks_.release(worker).kept) {
    auto& record = static_cast<ReservableTask&>(*released);
    if (!tasks_.look_again(record)) enqueue(record);
  }
  while (true) {
    bool kept = false;
    auto* const record = tasks_.next<ReservableTask>(
        worker,
        [&]() STARPATH_REQUIRES(context_lock) {
          ReservableTask* const found = take_from_line(worker);
          return found != nullptr ? found : take_reserved(worker);
        },
        [&](ReservableTask& /*record*/) { kept = true; });
    if (!kept) return record;
    tasks_.count_out(*record);
    starpu_sched_task_break(record->task());
    if (tasks_.prepare(*record->task(), worker)) return record;
    park(*record);
  }
}

/// Takes the first task of the worker's line, or one that reuses data and is preferred. An empty line is filled from
/// the policy.
ReservableTask* LookAheadStrategy::take_from_line(WorkerId worker) {
  auto& line = look_ahead_.line(worker);
  while (true) {
    if (line.empty()) {
      ReservableTask* const chosen = take_queued(worker);
      if (chosen == nullptr) return nullptr;
      hold(*chosen, worker);
    }
    ReservableTask& choice = *line.front();
    ReservableTask* const better =
        look_ahead_.better_than(choice, worker, [&](ReservableTask& other) STARPATH_REQUIRES(context_lock) {
          return other.state == State::queued && queue_->eligibility().contains(other.group, worker) &&
                 tasks_.prepare(*other.task(), worker);
        });
    if (better != nullptr) {
      better->state = State::gone;
      tasks_.count_out(*better);
      starpu_sched_task_break(better->task());
      return better;
    }
    line.pop_front();
    tasks_.count_out(choice);
    if (tasks_.prepare(*choice.task(), worker)) return &choice;
    park(choice);
  }
}

/// The policy's choice for `worker`. StarPU is asked again whether the worker can run it: that may have changed since
/// the task was queued.
ReservableTask* LookAheadStrategy::take_queued(WorkerId worker) {
  while (TaskRecord* const chosen = queue_->pop(worker)) {
    auto& record = static_cast<ReservableTask&>(*chosen);
    if (record.state == State::gone) {
      records_.give_back(&record);
      continue;
    }
    tasks_.count_out(record);
    starpu_sched_task_break(record.task());
    if (tasks_.prepare(*record.task(), worker)) return &record;
    park(record);
  }
  return nullptr;
}

/// A task that another worker reserved and did not come for: the latest of the longest line.
ReservableTask* LookAheadStrategy::take_reserved(WorkerId worker) {
  ReservableTask* found = nullptr;
  std::size_t longest = 0;
  for (WorkerId other = 0; other < look_ahead_.workers(); ++other) {
    const auto& line = look_ahead_.line(other);
    if (line.size() <= longest) continue;
    const auto last =
        std::find_if(line.rbegin(), line.rend(), [&](ReservableTask* record) STARPATH_REQUIRES(context_lock) {
          return queue_->eligibility().contains(record->group, worker) && tasks_.prepare(*record->task(), worker);
        });
    if (last == line.rend()) continue;
    found = *last;
    longest = line.size();
  }
  if (found == nullptr) return nullptr;
  for (WorkerId other = 0; other < look_ahead_.workers(); ++other) std::erase(look_ahead_.line(other), found);
  tasks_.prepare(*found->task(), worker);
  tasks_.count_out(*found);
  return found;
}

void LookAheadStrategy::park(ReservableTask& record) {
  record.state = State::kept;
  tasks_.park(record);
}

void LookAheadStrategy::enqueue(ReservableTask& record) {
  record.state = State::queued;
  queue_->push(record);
}

/// Puts a task that the policy gave up in the worker's line. It counts as queued again.
void LookAheadStrategy::hold(ReservableTask& record, WorkerId worker) {
  record.state = State::reserved;
  tasks_.count(record);
  look_ahead_.line(worker).push_back(&record);
}

/// Takes the tasks that `worker` should reserve from the policy. Tasks without data are reserved at once. The others
/// are returned, and no other worker gets them before `reserve`.
std::vector<ReservableTask*> LookAheadStrategy::choose_reservations(WorkerId worker) {
  std::vector<ReservableTask*> fresh;
  while (look_ahead_.has_room(worker, fresh)) {
    ReservableTask* const chosen = take_queued(worker);
    if (chosen == nullptr) break;
    chosen->state = State::reserved;
    look_ahead_.requested(worker, *chosen);
    if (STARPU_TASK_GET_NBUFFERS(chosen->task()) == 0) {
      hold(*chosen, worker);
    } else {
      fresh.push_back(chosen);
    }
  }
  tasks_.queued.fetch_sub(fresh.size());
  return fresh;
}

/// Starts the transfers of tasks that `worker` reserves. Then other workers see these tasks as if they had just been
/// pushed.
void LookAheadStrategy::reserve(WorkerId worker, const std::vector<ReservableTask*>& fresh) {
  for (ReservableTask* record : fresh) {
    record->fetched = true;
    if (record->task()->prefetched == 0)  // StarPU prefetches a task once only
      starpu_prefetch_task_input_for(record->task(), worker);
  }
  Turn turn(tasks_.mutex());
  for (ReservableTask* record : fresh) hold(*record, worker);
  tasks_.queued.fetch_add(fresh.size());
  give_back_reservations();  // should this worker have left meanwhile
  turn.wake(tasks_.choose_wakes());
}

/// Workers that left get no more tasks here, so the policy gets back the tasks that they reserved.
void LookAheadStrategy::give_back_reservations() {
  for (WorkerId worker = 0; worker < look_ahead_.workers(); ++worker) {
    auto& line = look_ahead_.line(worker);
    if (line.empty() || starpu_sched_ctx_contains_worker(static_cast<int>(worker), context_.id) != 0) continue;
    for (ReservableTask* record : line) {
      tasks_.number_again(*record);
      record->state = State::queued;
      queue_->push(*record);
    }
    line.clear();
  }
}

}  // namespace starpath
