// Simulated workers run a workflow of which nothing is known at first, as the plug-in does: what it learns, keeps to be
// explored and guesses.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/pure/event_queue.hpp"
#include "estimator/knn.hpp"
#include "sched_policies/core/class_ratios.hpp"
#include "sched_policies/core/exploration.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/planning/task_graph.hpp"
#include "tests/support/drawn_workflows.hpp"

namespace starpath {

/// A task that takes longer than its description says.
struct Delayed {
  WorkerId worker = 0;
  unsigned run = 0;  // of the worker: 0 is its first task
  double seconds = 0;
};

/// One run of a workflow under policy P, with what the adapter does around it. Copies take no time. The rules are those
/// of the plug-in: an accelerator's first run of a codelet is no sample, and cores that were refused ask again after a
/// second.
template <Policy P>
class ColdStart {
 public:
  /// `known`: every time is known from the start, else none is.
  ColdStart(const DrawnWorkflow& workflow, bool known, std::optional<Delayed> delayed = std::nullopt)
      : workflow_(workflow),
        machine_(workflow.machine),
        known_(known),
        delayed_(delayed),
        eligibility_(machine_),
        policy_({machine_, eligibility_}),
        exploration_({machine_, eligibility_}, kSamples),
        ratios_(machine_),
        jobs_(workflow.dag.jobs.size()),
        workers_(machine_.workers()) {
    ClassSet present;
    for (ClassId id = 0; id < machine_.classes().size(); ++id) present.set(id, machine_.count(id) > 0);
    exploration_.set_present(present);
    for (std::size_t job = 0; job < jobs_.size(); ++job)
      codelets_.push_back(knn_.codelet(std::to_string(codelet(job))));
  }

  /// How long it took; nullopt when a task never ran.
  std::optional<double> run() {
    if constexpr (kPlans) {
      for (WorkerId worker = 0; worker < workers_.size(); ++worker) policy_.set_present(worker, true);
    }
    for (std::size_t job = 0; job < jobs_.size(); ++job) submit(job);
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      jobs_[job].missing = workflow_.dag.jobs[job].predecessors;
      if (jobs_[job].missing == 0) arrive(job);
    }
    offer();
    double last = 0;
    while (!events_.empty()) {
      const auto event = events_.pop();
      now_ = event.time;
      if (event.payload.worker != kNobody) {
        finish(event.payload);
        last = now_;
      } else if (now_ < asks_again_) {
        continue;
      }
      offer();
      if (now_ > last + kLongest) return std::nullopt;
    }
    return left_ == 0 ? std::optional(last) : std::nullopt;
  }

  /// How many tasks each worker took after the delayed one.
  std::vector<std::size_t> taken_after() const {
    std::vector<std::size_t> taken;
    for (const Worker& worker : workers_) taken.push_back(worker.after);
    return taken;
  }

 private:
  static constexpr bool kPlans = PlanningPolicy<P>;
  static constexpr double kLongest = 1e4;  // seconds of a task
  static constexpr unsigned kSamples = 2;  // STARPATH_KNN_K
  static constexpr WorkerId kNobody = static_cast<WorkerId>(-1);

  struct Record : TaskRecord {
    std::size_t job = 0;
  };
  struct Job {
    Record record;
    std::size_t missing = 0;
    TaskGraph::Ticket ticket = 0;
    GroupId group = 0;
  };
  struct Worker {
    bool busy = false;
    std::vector<bool> ran;  // codelets
    unsigned runs = 0;
    std::size_t after = 0;  // runs after the delayed one ended
  };
  struct End {
    WorkerId worker;
    std::size_t job;
    double began = 0;
    bool late = false;
  };

  const des::Job& description(std::size_t job) const { return workflow_.dag.jobs[job]; }
  CodeletId codelet(std::size_t job) const { return description(job).codelet; }
  static std::size_t job_of(const TaskRecord& record) { return static_cast<const Record&>(record).job; }
  Features features(std::size_t job) const {
    Features found;
    found.add_numeric(workflow_.sizes[job]);
    return found;
  }

  ClassSeconds estimate(std::size_t job) {
    ClassSeconds seconds;
    for (ClassId id = 0; id < machine_.classes().size(); ++id) {
      if (!eligibility_.has_class(jobs_[job].group, id)) continue;
      seconds[id] = known_ ? description(job).seconds[id] : knn_.seconds(codelets_[job], id, features(job));
    }
    if (known_) return seconds;
    ClassSet single;
    for (ClassId id = 0; id < machine_.classes().size(); ++id) single[id] = knn_.samples(codelets_[job], id) == 1;
    const ClassSet doubted = ratios_.doubted(codelet(job), seconds, single);
    for (ClassId id = 0; id < machine_.classes().size(); ++id) {
      if (doubted[id]) seconds[id].reset();
    }
    doubted_[codelet(job)] |= doubted;
    ratios_.measured(codelet(job), seconds);
    return seconds;
  }

  void submit(std::size_t job) {
    ++left_;
    Job& state = jobs_[job];
    state.group = eligibility_.intern(description(job).workers);
    if constexpr (kPlans) {
      std::vector<DataUse> uses = {{&jobs_[job], Access::write}};
      for (std::size_t before = 0; before < job; ++before) {
        if (std::ranges::count(description(before).successors, job) > 0) uses.push_back({&jobs_[before], Access::read});
      }
      const ClassSeconds seconds = estimate(job);
      state.ticket = graph_.reserve(true);
      policy_.submitted(state.group, seconds);
      graph_.submit(&state, state.ticket, uses, TaskGraph::Work::of(machine_, seconds));
      if (graph_.stale()) graph_.postpone();
    }
  }

  void arrive(std::size_t job) {
    Record& record = jobs_[job].record;
    record.job = job;
    record.owner = &jobs_[job];
    record.codelet = codelet(job);
    enter(record);
  }

  /// A task is queued, or queued again.
  void enter(Record& record) {
    const std::size_t job = record.job;
    record.sequence = sequence_++;
    record.group = jobs_[job].group;
    const ClassSeconds seconds = estimate(job);
    const Guesses guesses = ratios_.guess(record.codelet, seconds);
    const auto outlook = exploration_.look(record.group, seconds, guesses, {});
    if (!known_ && outlook.unexplored.any() && (!kPlans || outlook.unknown())) {
      exploration_.push(record, outlook, now_);
      return;
    }
    record.speedups = {};
    for (ClassId id = 0; id < machine_.classes().size(); ++id) {
      if (seconds[id] && seconds[0]) record.speedups.set(id, *seconds[0] / *seconds[id]);
    }
    if constexpr (kPlans) {
      plan(record, outlook);
    } else {
      policy_.push(record);
    }
  }

  void plan(Record& record, const Exploration::Outlook& outlook) requires kPlans {
    const Job& state = jobs_[record.job];
    TaskCosts costs{.seconds = outlook.expected, .guessed = outlook.unexplored};
    for (ClassId id = 0; id < machine_.classes().size(); ++id) {
      if (!eligibility_.has_class(record.group, id)) costs.seconds[id].reset();
    }
    if (record.guessed != 0 || graph_.weightless(&state, state.ticket)) {
      graph_.weigh(&state, state.ticket, TaskGraph::Work::of(machine_, costs.seconds));
      if (costs.guessed.none()) policy_.submitted(record.group, costs.seconds);
    }
    const ClassSet closed = exploration_.tried(record.codelet);
    record.group = without(record.group, closed & outlook.unexplored);
    record.guessed = static_cast<std::uint8_t>(outlook.unexplored.to_ulong());
    const auto standing = graph_.standing(&state, state.ticket);
    costs.tail = standing.tail;
    costs.position = standing.position;
    policy_.set_outstanding(graph_.outstanding());
    policy_.push(record, costs, now_);
    graph_.tag(&state, state.ticket, &record);
    while (TaskRecord* const fetched = policy_.fetch().task) policy_.hold(*fetched);
  }

  /// The group without the workers of some classes, unless nobody is left.
  GroupId without(GroupId group, const ClassSet& classes) {
    WorkerSet left;
    for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
      if (eligibility_.contains(group, worker) && !classes[machine_.class_of(worker)]) left.insert(worker);
    }
    return left.empty() ? group : eligibility_.intern(left);
  }

  /// Idle workers ask until all that ask get nothing.
  void offer() {
    asks_again_ = std::numeric_limits<double>::infinity();
    for (bool any = true; any;) {
      any = false;
      for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
        if (!workers_[worker].busy && ask(worker)) any = true;
      }
    }
    if (left_ > 0 && asks_again_ < std::numeric_limits<double>::infinity()) events_.push(asks_again_, {kNobody, 0});
  }

  void reenter(CodeletId codelet) {
    std::vector<TaskRecord*> tasks = exploration_.take_all({codelet});
    if constexpr (kPlans) {
      for (TaskRecord* const task : policy_.withdraw(codelet)) tasks.push_back(task);
    }
    for (TaskRecord* const task : tasks) enter(static_cast<Record&>(*task));
  }

  bool ask(WorkerId worker) {
    if (const auto over = exploration_.asks(worker)) changed_.push_back(*over);
    if constexpr (kPlans) {
      if (graph_.stale()) graph_.postpone();
      if (graph_.postponed()) {
        policy_.set_outstanding(graph_.outstanding());
        graph_.update([&](void* record, double tail) { policy_.set_tail(*static_cast<Record*>(record), tail, now_); });
      }
      policy_.set_outstanding(graph_.outstanding());
    }
    const bool changed = !changed_.empty();
    while (!changed_.empty()) {
      const CodeletId codelet = changed_.back();
      std::erase(changed_, codelet);
      reenter(codelet);
    }
    if constexpr (kPlans) {
      if (changed) policy_.replan(now_);
    }
    bool popped = false;
    TaskRecord* const taken = exploration_.next(worker, now_, [&]() -> TaskRecord* {
      if constexpr (kPlans) {
        const Decision decision = policy_.pop(worker, now_);
        if (decision.task == nullptr) asks_again_ = std::min(asks_again_, decision.until);
        popped = decision.task != nullptr;
        return decision.task;
      } else {
        TaskRecord* const task = policy_.pop(worker);
        popped = task != nullptr;
        return task;
      }
    });
    if (taken == nullptr) {
      asks_again_ = std::min(asks_again_, now_ + 1);
      return false;
    }
    const std::size_t job = job_of(*taken);
    const ClassId id = machine_.class_of(worker);
    if constexpr (kPlans) {
      if (!popped) policy_.took(worker, taken->owner, now_);
      graph_.begin(&jobs_[job], jobs_[job].ticket);
      if (popped && (taken->guessed >> id & 1U) != 0 && exploration_.begin_try(worker, *taken)) reenter(taken->codelet);
    }
    workers_[worker].busy = true;
    workers_[worker].after += delay_over_;
    const bool late = delayed_ && delayed_->worker == worker && delayed_->run == workers_[worker].runs++;
    events_.push(now_ + (late ? delayed_->seconds : description(job).seconds[id]), {worker, job, now_, late});
    return true;
  }

  void finish(const End& end) {
    --left_;
    const double seconds = now_ - end.began;
    if (end.late) delay_over_ = true;
    Worker& worker = workers_[end.worker];
    worker.busy = false;
    learn(end.worker, end.job, seconds);
    if constexpr (kPlans) {
      graph_.finish(&jobs_[end.job], jobs_[end.job].ticket);
      policy_.finished(end.worker, &jobs_[end.job], now_, seconds);
    }
    for (const std::size_t next : description(end.job).successors) {
      if (--jobs_[next].missing == 0) arrive(next);
    }
  }

  void learn(WorkerId worker, std::size_t job, double seconds) {
    if (known_) return;
    const ClassId id = machine_.class_of(worker);
    auto& ran = workers_[worker].ran;
    const CodeletId kind = codelet(job);
    if (kind >= ran.size()) ran.resize(kind + 1);
    const bool first = !ran[kind];
    ran[kind] = true;
    const bool unknown = knn_.samples(codelets_[job], id) == 0 || doubted_[kind][id];
    if (first && machine_.classes()[id].kind == DeviceKind::accelerator) {
      ratios_.ran_first(kind, id, seconds);
    } else {
      doubted_[kind].reset(id);
      knn_.learn(codelets_[job], Sample{.features = features(job), .device_class = id, .seconds = seconds});
    }
    if (unknown) changed_.push_back(kind);
  }

  const DrawnWorkflow& workflow_;
  const Machine& machine_;
  const bool known_;
  const std::optional<Delayed> delayed_;
  bool delay_over_ = false;
  std::map<CodeletId, ClassSet> doubted_;  // classes whose only sample of the codelet is not believed
  EligibilityTable eligibility_;
  P policy_;
  Exploration exploration_;
  ClassRatios ratios_;
  KnnEstimator knn_;
  std::vector<unsigned> codelets_;  // the estimator's numbers, by job
  TaskGraph graph_;
  std::vector<Job> jobs_;
  std::vector<Worker> workers_;
  EventQueue<End> events_;
  std::vector<CodeletId> changed_;  // their tasks are to be looked at again
  std::uint64_t sequence_ = 0;
  std::size_t left_ = 0;
  double now_ = 0;
  double asks_again_ = 0;
};

}  // namespace starpath
