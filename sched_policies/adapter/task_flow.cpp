// The way of tasks through the task graph and a policy that plans.
#include "sched_policies/adapter/task_flow.hpp"

#include <atomic>

#include "sched_policies/adapter/clock.hpp"
#include "sched_policies/adapter/turn.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {
namespace {

/// Tasks that commute run one at a time: they count as writers, in order of submission.
Access access_of(unsigned mode) {
  if ((mode & STARPU_REDUX) != 0) return Access::reduce;
  return (mode & STARPU_W) != 0 ? Access::write : Access::read;
}

/// Whether StarPU copies it to main memory for a task that runs nowhere.
bool goes_home(const starpu_task& task, unsigned buffer) {
  return task.where == STARPU_NOWHERE && task.cl->specific_nodes != 0 &&
         STARPU_CODELET_GET_NODE(task.cl, buffer) == STARPU_MAIN_RAM;
}

/// Finds those uses of data by which StarPU orders tasks.
void find_uses(const starpu_task& task, std::vector<DataUse>& uses) {
  uses.clear();
  const auto buffers = task.sequential_consistency != 0 ? static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task)) : 0;
  for (unsigned i = 0; i < buffers; ++i) {
    const auto mode = static_cast<unsigned>(STARPU_TASK_GET_MODE(&task, i));
    if ((mode & STARPU_SCRATCH) == 0)
      uses.push_back({STARPU_TASK_GET_HANDLE(&task, i), access_of(mode), goes_home(task, i)});
  }
}

/// A number that differs each time, from 1.
std::uint64_t next_generation() {
  static std::atomic<std::uint64_t> last_generation = 0;
  return ++last_generation;
}

}  // namespace

TaskFlow::TaskFlow(const ContextFacts& context, ReadyTasks& tasks, Planner& policy, RecordPool<PlannedTask>& records)
    : generation_(next_generation()),
      context_(context),
      tasks_(tasks),
      policy_(policy),
      records_(records),
      copies_(context.machine),
      inbox_(context.machine.workers(), graph_, [this]() STARPATH_REQUIRES(context_lock) { return records_.take(); }) {
  policy_.set_presence(data_);
}

/// A free slot of the inbox. Without a free one, takes in what was left, and looks again.
template <class Slot>
Slot& TaskFlow::slot(Slot* (Inbox::*look)()) {
  Slot* found = (inbox_.*look)();
  while (found == nullptr) {
    const Turn turn(tasks_.mutex());
    catch_up();
    found = (inbox_.*look)();
  }
  return *found;
}

void TaskFlow::submitted(starpu_task& task) {
  Inbox::Submission& submission = slot(&Inbox::submission);
  find_uses(task, submission.uses);
  if (task.where == STARPU_NOWHERE) {  // StarPU has such tasks to cut data into parts; nobody hears of their end
    submission.task = nullptr;
    inbox_.leave(submission);
    return;
  }
  submission.task = &task;
  submission.old = TaskMark::of(task).ticket;
  submission.types = tasks_.types_for(task);
  submission.seconds = context_.estimates.of(task, unique(submission.number())).seconds;
  submission.work = TaskGraph::Work::of(context_.machine, submission.seconds);
  const std::uint32_t number = submission.number();
  TaskMark{.ticket = inbox_.leave(submission), .submission = number}.put_on(task);
}

void TaskFlow::arrived(starpu_task& task) {
  Inbox::Arrival& arrival = slot(&Inbox::arrival);
  PlannedTask& record = *arrival.record;
  const TaskMark mark = TaskMark::of(task);
  arrival.first_samples = context_.estimates.first_samples();
  const TaskEstimates& estimates = context_.estimates.of(task, unique(mark.submission));
  record.owner = &task;
  record.guessed = 0;
  arrival.ticket = record.ticket = mark.ticket;
  record.priority = task.priority;
  record.speedups = estimates.speedups;
  arrival.costs.seconds = estimates.seconds;
  arrival.never_known = estimates.never_known;
  copies_.estimate(task, arrival.costs);
  arrival.codelet = codelet_name(*task.cl);
  arrival.able = tasks_.ask_who_may(task);
  arrival.types = arrival.able ? 0 : tasks_.types_for(task);
  if (context_.observed) record.queued_at = starpu_timing_now();
  starpu_push_task_end(&task);
  tasks_.queued.fetch_add(1);
  inbox_.leave(arrival);
}

void TaskFlow::catch_up() {
  now_.reset();
  inbox_.take_in([this](const Inbox::Submission& submission) STARPATH_REQUIRES(context_lock) { take_in(submission); },
                 [this](Inbox::Arrival& arrival) STARPATH_REQUIRES(context_lock) { take_in(arrival); },
                 [this](WorkerId worker, const Inbox::End& end)
                     STARPATH_REQUIRES(context_lock) { take_in(worker, end); });
}

double TaskFlow::now() {
  if (!now_) now_ = seconds_now();
  return *now_;
}

/// The task may be gone: one that was cancelled never becomes ready.
void TaskFlow::take_in(const Inbox::Submission& submission) {
  if (submission.task == nullptr) return graph_.meet(submission.ticket(), submission.uses);
  policy_.submitted(tasks_.group_of(submission.types), submission.seconds);
  graph_.submit(submission.task, submission.ticket(), submission.uses, submission.work, submission.old);
  if (graph_.stale()) graph_.postpone();
}

void TaskFlow::take_in(Inbox::Arrival& arrival) {
  PlannedTask& record = *arrival.record;
  tasks_.number(record, arrival.codelet, &arrival.costs);
  if (tasks_.admit(record, arrival.able ? &*arrival.able : nullptr, arrival.types)) {
    enter(record, arrival.costs, arrival.never_known, arrival.first_samples);
  }
  arrival.record = records_.take();
}

void TaskFlow::take_in(WorkerId worker, const Inbox::End& end) {
  graph_.finish(end.task, end.ticket);
  policy_.finished(worker, end.task, end.now, end.ran);
}

/// A task that was queued before, as if it had just arrived.
void TaskFlow::enter_again(PlannedTask& record, const TaskEstimates& estimates, std::uint64_t first_samples) {
  tasks_.open(record);
  record.speedups = estimates.speedups;
  TaskCosts costs{.seconds = estimates.seconds};
  copies_.estimate(*record.task(), costs);
  tasks_.number(record, codelet_name(*record.task()->cl), &costs);
  enter(record, costs, estimates.never_known, first_samples);
}

/// Tasks are queued as if they had just arrived. The policy hears of the work of all before it has to place one.
void TaskFlow::replan(const std::vector<TaskRecord*>& tasks) {
  if (tasks.empty()) return;
  const std::uint64_t first_samples = context_.estimates.first_samples();
  std::vector<TaskEstimates> estimates;
  estimates.reserve(tasks.size());
  for (TaskRecord* const task : tasks) {
    auto& record = static_cast<PlannedTask&>(*task);
    const TaskEstimates& found = estimates.emplace_back(context_.estimates.of(*record.task()));
    tasks_.open(record);
    if (tasks_.look(record, found.seconds, found.never_known).unexplored.any()) continue;
    weigh(record, found.seconds, false);
    record.guessed = 0;
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    enter_again(static_cast<PlannedTask&>(*tasks[i]), estimates[i], first_samples);
  }
}

/// Tells the graph the work of a task whose run times were not known when it was submitted, and the policy once no
/// class has a guess: what a class is worth is counted in measured times.
void TaskFlow::weigh(const PlannedTask& record, const ClassSeconds& seconds, bool guessed) {
  if (record.guessed == 0 && !graph_.weightless(record.owner, record.ticket)) return;
  graph_.weigh(record.owner, record.ticket, TaskGraph::Work::of(context_.machine, seconds));
  if (!guessed) policy_.submitted(record.group, seconds);
}

void TaskFlow::enter(PlannedTask& record, TaskCosts& costs, const ClassSet& never_known, std::uint64_t first_samples) {
  const Exploration::Outlook outlook = tasks_.look(record, costs.seconds, never_known);
  if (outlook.unexplored.any() && outlook.unknown()) return tasks_.keep(record, outlook, first_samples);
  costs.guessed = outlook.unexplored;
  for (ClassId id = 0; id < context_.machine.classes().size(); ++id) {
    if (costs.guessed[id]) costs.seconds[id] = outlook.expected[id];
  }
  weigh(record, costs.seconds, costs.guessed.any());
  tasks_.guessed(record, outlook, first_samples);
  const TaskGraph::Standing standing = graph_.standing(record.owner, record.ticket);
  costs.tail = standing.tail;
  costs.position = standing.position;
  costs.home = standing.home;
  policy_.set_outstanding(graph_.outstanding());
  policy_.push(record, costs, now());
  graph_.tag(record.owner, record.ticket, &record);
}

void TaskFlow::ended(WorkerId worker, const Inbox::End& end) {
  context_.waiters.erase(worker);  // what it left while it had this to finish it may take now
  if (inbox_.leave(worker, end)) return;
  const Turn turn(tasks_.mutex());
  catch_up();
  take_in(worker, end);
}

void TaskFlow::gone(starpu_task& task, double now) {
  graph_.finish(&task, TaskMark::of(task).ticket);
  for (WorkerId worker = 0; worker < context_.machine.workers(); ++worker) {
    policy_.finished(worker, &task, now, std::nullopt);
  }
}

PlannedTask* TaskFlow::next(WorkerId worker, Decision& decision) {
  renew(worker);
  bool planned = true;
  auto* const record = tasks_.next<PlannedTask>(
      worker,
      [&]() STARPATH_REQUIRES(context_lock) {
        decision = policy_.pop(worker, now());
        return static_cast<PlannedTask*>(decision.task);
      },
      [&](PlannedTask& kept) STARPATH_REQUIRES(context_lock) {
        planned = false;
        policy_.took(worker, kept.owner, now());
      });
  if (record == nullptr) return nullptr;
  begin(*record);
  tasks_.count_out(*record);
  if (planned && tasks_.tries(worker, *record)) replan(policy_.withdraw(record->codelet));
  return record;
}

PlannedTask* TaskFlow::another(WorkerId worker) {
  auto* const record = static_cast<PlannedTask*>(policy_.another(worker, now()));
  if (record == nullptr) return nullptr;
  graph_.fetch(record->ticket);
  fetch_ahead(&record->task()->starpu_private);
  tasks_.count_out(*record);
  return record;
}

void TaskFlow::renew(WorkerId worker) {
  if (graph_.stale()) graph_.postpone();
  if (graph_.postponed()) {
    policy_.set_outstanding(graph_.outstanding());
    graph_.update([&](void* record, double tail) {
      context_lock.is_held();
      policy_.set_tail(*static_cast<PlannedTask*>(record), tail, now());
    });
  }
  policy_.set_outstanding(graph_.outstanding());
  ReadyTasks::Released released = tasks_.release(worker);
  for (const CodeletId codelet : released.codelets) {
    const std::vector<TaskRecord*> withdrawn = policy_.withdraw(codelet);
    released.kept.insert(released.kept.end(), withdrawn.begin(), withdrawn.end());
  }
  replan(released.kept);
  if (!released.codelets.empty()) policy_.replan(now());
}

void TaskFlow::enter_again(PlannedTask& record) {
  const std::uint64_t first_samples = context_.estimates.first_samples();
  const TaskEstimates estimates = context_.estimates.of(*record.task());  // a copy: what follows may wait
  enter_again(record, estimates, first_samples);
}

}  // namespace starpath
