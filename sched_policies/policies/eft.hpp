// EFT: each task, once ready, joins the queue of the worker that is expected to finish it first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <utility>
#include <vector>

#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/planning/unplanned_tasks.hpp"

namespace starpath {

/// The papers' HEFT: decided when a task is ready, by run times alone, without copies and without upward ranks.
///   - A worker is expected to be free when all that it was given has taken its estimated time, however long it took.
///     Where that was a guess, or over eight times as long as the task took, it counts from the task's end anew. Of
///     equal finish times that of the worker with the lowest number.
///   - A worker takes from its own queue: the higher priority, then the older. It waits although others have tasks. It
///     takes short ones together, up to 10 us of them.
///   - A task whose run time is not known on every class that may run it waits in a queue for all: the higher priority,
///     then the older. Its first task goes before a worker's own if its priority is higher, or equal and it is older.
///   - What workers that left had queued joins other queues.
///   - A worker that runs a task, or was told of its tasks, and does not ask for long is late. Its tasks are for those
///     who ask: what it runs may wait for one of them. Long is the longest of a second, a hundred times as long as
///     tasks take on average, and ten times as long as its own was expected to: far above what any estimate errs by.
/// A push takes O(workers + log n). As a plain Policy, which knows no times, it is FCFS.
/// Source: edc-2014 section V. The rules for priorities, unknown times and absent workers are ours.
class Eft final : public Planner {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "eft",
      .description =
          "what joined its queue: each ready task joins the worker that would finish it first, copies "
          "ignored (the papers' HEFT)",
      .uses_estimates = true};

  explicit Eft(PolicyEnvironment environment) : environment_(environment), unplanned_(environment) {
    for (WorkerId worker = 0; worker < environment.machine.workers(); ++worker) workers_.emplace_back(pool_.get());
  }

  void push(TaskRecord& task) { unplanned_.insert(task); }
  TaskRecord* pop(WorkerId worker) { return unplanned_.take_before(worker, nullptr); }
  std::size_t size() const { return waiting_ + unplanned_.size(); }

  void push(TaskRecord& task, const TaskCosts& costs, double now) override {
    now_ = now;
    if (unplanned_.unknown(task.group, costs.seconds))
      push(task);
    else
      join({&task, costs.seconds}, now);
  }

  Decision pop(WorkerId worker, double now) override {
    now_ = now;
    Worker& at = workers_[worker];
    at.waits_since = at.together = kNever;
    const TaskRecord* const own = at.queue.empty() ? nullptr : at.queue.begin()->second.task;
    if (TaskRecord* const task = unplanned_.take_before(worker, own)) return hand_out(*task, 0, worker, now);
    if (own != nullptr) {
      if (own->guessed == 0) at.together = seconds_on(worker, at.queue.begin()->second);
      return hand_out(worker, at.queue.begin(), worker, now);
    }
    for (WorkerId other = 0; other < workers_.size(); ++other) {
      if (!late(workers_[other], now)) continue;
      Queue& queue = workers_[other].queue;
      for (auto task = queue.begin(); task != queue.end(); ++task)
        if (environment_.eligibility.contains(task->second.task->group, worker))
          return hand_out(other, task, worker, now);
    }
    return refuse(worker, now);
  }

  TaskRecord* another(WorkerId worker, double now) override {
    Worker& at = workers_[worker];
    if (at.queue.empty() || unplanned_.size() > 0 || at.queue.begin()->second.task->guessed != 0) return nullptr;
    at.together += seconds_on(worker, at.queue.begin()->second);
    return at.together > kTogether ? nullptr : hand_out(worker, at.queue.begin(), worker, now).task;
  }

  void took(WorkerId worker, const void* owner, double now) override { begin(worker, {owner, 0}, now); }

  void bound(WorkerId worker, const void* /*owner*/, double seconds, double now) override {
    workers_[worker].free = std::max(now, workers_[worker].free) + seconds;
  }

  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran) override {
    if (ran) mean_ += (*ran - mean_) / static_cast<double>(++measured_);
    Worker& at = workers_[worker];
    const auto found = std::ranges::find(at.taken, owner, &Taken::owner);
    if (found == at.taken.end()) return;
    const bool wrong = found->guessed || (ran && found->seconds > kTooLong * *ran);
    at.taken.erase(found);
    at.waits_since = at.taken.empty() ? kNever : now;
    if (wrong) at.free = now + left_to_do(worker);  // what was wrong must not keep tasks away
  }

  std::vector<TaskRecord*> withdraw(CodeletId codelet) override {
    std::vector<TaskRecord*> tasks;
    for (const Waiting& waiting : leave_if([&](const TaskRecord& task) { return task.codelet == codelet; }))
      tasks.push_back(waiting.task);
    for (TaskRecord* const task : unplanned_.take_guessed(codelet)) tasks.push_back(task);
    std::ranges::sort(tasks, {}, &TaskRecord::sequence);
    return tasks;
  }

  void replan(double now) override {
    if (waiting_ > kReplanned) return;
    for (const Waiting& waiting : leave_if([](const TaskRecord& /*task*/) { return true; })) join(waiting, now);
  }

  void set_present(WorkerId worker, bool present) override {
    Worker& at = workers_[worker];
    if (at.present == present) return;
    at.present = present;
    at.waits_since = kNever;
    at.taken.clear();
    Queue left = std::exchange(at.queue, {});
    at.free = 0;
    waiting_ -= left.size();
    for (auto& [level, task] : left) join(task, now_);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kPatience = 1;  // seconds, at least
  static constexpr double kTimesMean = 100, kTimesExpected = 10;
  static constexpr double kTogether =
      10e-6;                             // seconds, at most: about ten turns, and all that a more urgent task waits
  static constexpr double kTooLong = 8;  // estimates that differ by less may all be right: SampleSet::kAgree
  static constexpr std::size_t kReplanned = 4096;  // tasks at most, at once: it takes about a millisecond

  struct Level {
    int priority;
    std::uint64_t sequence;
    explicit Level(const TaskRecord& task) : priority(task.priority), sequence(task.sequence) {}
    bool operator<(const Level& other) const {
      return priority != other.priority ? priority > other.priority : sequence < other.sequence;
    }
  };
  struct Waiting {
    TaskRecord* task;
    ClassSeconds seconds;
  };
  using Queue = std::pmr::map<Level, Waiting>;
  struct Taken {
    const void* owner;
    double seconds;
    bool guessed = false;
  };
  struct Worker {
    explicit Worker(std::pmr::memory_resource* memory) : queue(memory) {}
    Queue queue;
    double free = 0;              // when it is expected to have done all that it was given
    std::vector<Taken> taken;     // what it has not finished
    double together = kNever;     // seconds of those taken in its last turn, if they are its own and not guessed
    double waits_since = kNever;  // since when its tasks wait for it to finish one, or to come when it was told of them
    bool present = true;
  };

  /// Takes such tasks out of all queues, in the order of their arrival.
  template <class Leaves>
  std::vector<Waiting> leave_if(Leaves leaves) {
    std::vector<Waiting> left;
    for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
      std::erase_if(workers_[worker].queue, [&](const auto& place) {
        if (!leaves(*place.second.task)) return false;
        workers_[worker].free -= seconds_on(worker, place.second);
        left.push_back(place.second);
        return true;
      });
    }
    waiting_ -= left.size();
    std::ranges::sort(left, {}, [](const Waiting& waiting) { return waiting.task->sequence; });
    return left;
  }

  /// Of a task that is known.
  double seconds_on(WorkerId worker, const Waiting& task) const {
    return *task.seconds[environment_.machine.class_of(worker)];
  }

  void join(const Waiting& task, double now) {
    const GroupId group = task.task->group;
    std::optional<WorkerId> chosen;
    double earliest = std::numeric_limits<double>::infinity();
    for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
      if (!environment_.eligibility.contains(group, worker)) continue;
      const bool away = chosen && workers_[*chosen].present && !workers_[worker].present;
      if (away) continue;
      const bool back = chosen && !workers_[*chosen].present && workers_[worker].present;
      const double end = std::max(now, workers_[worker].free) + seconds_on(worker, task);
      if (chosen && !back && end >= earliest) continue;
      earliest = end;
      chosen = worker;
    }
    Worker& at = workers_[*chosen];
    at.free = earliest;
    at.queue.emplace_hint(at.queue.end(), Level(*task.task), task);
    ++waiting_;
  }

  Decision hand_out(WorkerId from, Queue::iterator place, WorkerId to, double now) {
    const Waiting task = place->second;
    workers_[from].queue.erase(place);
    --waiting_;
    return hand_out(*task.task, seconds_on(to, task), to, now);
  }
  Decision hand_out(TaskRecord& task, double seconds, WorkerId to, double now) {
    const bool guessed = (task.guessed >> environment_.machine.class_of(to) & 1U) != 0;
    begin(to, {task.owner, seconds, guessed}, now);
    return {.task = &task};
  }

  /// Seconds of what it took and of what waits for it.
  double left_to_do(WorkerId worker) const {
    double seconds = 0;
    for (const Taken& taken : workers_[worker].taken) seconds += taken.seconds;
    for (const auto& [level, task] : workers_[worker].queue) seconds += seconds_on(worker, task);
    return seconds;
  }

  void begin(WorkerId worker, const Taken& taken, double now) {
    workers_[worker].waits_since = now;
    workers_[worker].taken.push_back(taken);
  }

  bool late(const Worker& worker, double now) const {
    if (!worker.present) return true;
    double patience = std::max(kPatience, kTimesMean * mean_);
    for (const Taken& taken : worker.taken) patience = std::max(patience, kTimesExpected * taken.seconds);
    return now > worker.waits_since + patience;
  }

  /// Names an idle worker that has tasks, if there is one.
  Decision refuse(WorkerId worker, double now) {
    Decision decision{.nobody_works = true, .until = now + kPatience};
    for (WorkerId other = 0; other < workers_.size(); ++other) {
      Worker& at = workers_[other];
      if (!at.taken.empty()) decision.nobody_works = false;
      if (other == worker || !at.present || !at.taken.empty() || at.queue.empty() || decision.in_favour_of) continue;
      at.waits_since = std::min(at.waits_since, now);
      decision.in_favour_of = other;
    }
    return decision;
  }

  PolicyEnvironment environment_;
  // Outlives the queues below.
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> pool_ =
      std::make_unique<std::pmr::unsynchronized_pool_resource>();
  std::vector<Worker> workers_;
  UnplannedTasks unplanned_;
  std::size_t waiting_ = 0;  // tasks in the queues of workers
  double now_ = 0;           // of the last call that told the time
  double mean_ = 0;          // seconds of the tasks that were measured
  std::size_t measured_ = 0;
};

static_assert(PlanningPolicy<Eft>);

}  // namespace starpath
