// Simulated workers run a graph of jobs under a policy, and every rule that a policy has to keep is checked.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/pure/event_queue.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "support/random_dag.hpp"

namespace starpath::des {

struct Result {
  std::string error;  ///< "" when every rule held
  double makespan = 0;
  std::vector<WorkerId> ran_on;    // by job
  std::vector<std::size_t> order;  // jobs as they were started
};

/// One run of a graph under policy P; see simulate().
template <Policy P>
class Simulation {
 public:
  Simulation(const Machine& machine, const Dag& dag)
      : machine_(machine),
        dag_(dag),
        eligibility_(machine),
        policy_(PolicyEnvironment{machine, eligibility_}),
        jobs_(dag.jobs.size()),
        workers_(machine.workers()),
        outstanding_{.replaced = dag.replaced} {
    result_.ran_on.resize(dag.jobs.size());
    const std::vector<double> tails = tails_of(dag);
    for (std::size_t job = 0; job < dag.jobs.size(); ++job) {
      JobState& state = jobs_[job];
      state.record.job = job;
      state.missing = dag.jobs[job].predecessors;
      state.tail = tails[job];
      state.share = share_of(dag.jobs[job], machine);
      state.level = WorkByUpwardRank::level(least_seconds(dag.jobs[job]) + state.tail);
      outstanding_.seconds += state.share;
      waiting_.add(state.level, state.share);
    }
    outstanding_.waiting = &waiting_;
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Result run() {
    if constexpr (kPlans) {
      for (WorkerId worker = 0; worker < machine_.workers(); ++worker) policy_.set_present(worker, true);
      for (const Job& job : dag_.jobs) policy_.submitted(eligibility_.intern(job.workers), job.costs.seconds);
    }
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if (jobs_[job].missing == 0) submit(job);
    }
    while (true) {
      offer();
      check_queue();
      if (events_.empty() || !result_.error.empty()) break;
      const auto event = events_.pop();
      now_ = event.time;
      finish(event.payload.worker, event.payload.job);
    }
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      if (jobs_[job].phase != Phase::done) fail(job, "never ran");
    }
    result_.makespan = now_;
    return std::move(result_);
  }

 private:
  static constexpr bool kPlans = PlanningPolicy<P>;

  enum class Phase { not_ready, queued, running, done };
  struct Queued : TaskRecord {
    std::size_t job = 0;
  };
  struct JobState {
    Queued record;
    Phase phase = Phase::not_ready;
    std::size_t missing = 0;  // predecessors that have not finished
    double tail = 0;
    double share = 0;
    WorkByUpwardRank::Level level{};
    double fetched = -1;  // when the copies that were started are there
    MemoryId fetched_to = 0;
  };
  struct WorkerState {
    std::size_t held = 0;   // jobs that it has begun or will after those
    double busy_until = 0;  // when it has done them
    bool idle() const { return held == 0; }
  };
  struct End {
    WorkerId worker;
    std::size_t job;
  };

  void fail(const std::string& what) {
    if (result_.error.empty()) result_.error = what;
  }
  void fail(std::size_t job, const std::string& what) { fail("job " + std::to_string(job) + " " + what); }

  void submit(std::size_t job) {
    const Job& description = dag_.jobs[job];
    Queued& record = jobs_[job].record;
    record.sequence = sequence_++;
    record.priority = description.priority;
    record.codelet = description.codelet;
    record.speedups = description.speedups;
    record.group = eligibility_.intern(description.workers);
    record.owner = &record;
    jobs_[job].phase = Phase::queued;
    ++queued_;
    if constexpr (kPlans) {
      TaskCosts costs = description.costs;
      if (job % 2 == 0) costs.tail = jobs_[job].tail;  // of the others it learns late
      policy_.set_outstanding(outstanding_);
      policy_.push(record, costs, now_);
      policy_.set_tail(record, jobs_[job].tail, now_);
      fetch();
    } else {
      policy_.push(record);
    }
  }

  /// Idle workers ask. What one leaves another takes, perhaps after a third left it too.
  void offer() {
    const std::size_t most = kPlans ? machine_.workers() + 2 : 1;
    for (std::size_t passes = most, before = queued_; passes-- > 0;) {
      if (queued_ != before) passes = machine_.workers() + 2;
      before = queued_;
      for (WorkerId worker = 0; worker < machine_.workers(); ++worker) {
        if (workers_[worker].idle()) ask(worker);
      }
    }
  }

  void ask(WorkerId worker) {
    if constexpr (kPlans) {
      TaskRecord* const taken = policy_.pop(worker, now_).task;
      if (taken == nullptr) return;
      begin(worker, taken);
      while (TaskRecord* const more = policy_.another(worker, now_)) begin(worker, more);
      fetch();
    } else {
      if (TaskRecord* const taken = policy_.pop(worker)) begin(worker, taken);
    }
  }

  void fetch() requires kPlans {
    for (Fetch next; (next = policy_.fetch()).task != nullptr; policy_.hold(*next.task)) {
      const std::size_t job = static_cast<Queued*>(next.task)->job;
      if (jobs_[job].phase != Phase::queued) fail(job, "was fetched when it was not queued");
      const MemoryId memory = machine_.memory_of(next.worker);
      jobs_[job].fetched = now_ + dag_.jobs[job].costs.copy_to(memory);
      jobs_[job].fetched_to = memory;
    }
  }

  void begin(WorkerId worker, TaskRecord* taken) {
    const std::size_t job = static_cast<Queued*>(taken)->job;
    const Job& description = dag_.jobs[job];
    JobState& state = jobs_[job];
    if (state.phase != Phase::queued) fail(job, "was handed out when it was not queued");
    if (!description.workers.contains(worker)) fail(job, "on a worker that cannot run it");
    --queued_;
    state.phase = Phase::running;
    result_.ran_on[job] = worker;
    result_.order.push_back(job);
    waiting_.remove(state.level, state.share);
    WorkerState& at = workers_[worker];
    ++at.held;
    double start = std::max(now_, at.busy_until);
    if (kPlans) {
      const MemoryId memory = machine_.memory_of(worker);
      const bool there = state.fetched >= 0 && state.fetched_to == memory;
      start = std::max(start, there ? state.fetched : now_ + description.costs.copy_to(memory));
    }
    at.busy_until = start + description.seconds[machine_.class_of(worker)];
    events_.push(at.busy_until, {worker, job});
  }

  void finish(WorkerId worker, std::size_t job) {
    --workers_[worker].held;
    if constexpr (kPlans) {
      const double seconds = dag_.jobs[job].seconds[machine_.class_of(worker)];
      policy_.finished(worker, &jobs_[job].record, now_, seconds);
      outstanding_.seconds -= jobs_[job].share;
    }
    jobs_[job].phase = Phase::done;
    for (const std::size_t next : dag_.jobs[job].successors) {
      if (--jobs_[next].missing == 0) submit(next);
    }
  }

  /// No worker may idle beside a job, and the policy must know how many it has.
  void check_queue() {
    if (policy_.size() != queued_) fail("size() is not the number of queued tasks");
    for (WorkerId worker = 0; worker < machine_.workers() && result_.error.empty(); ++worker) {
      if (!workers_[worker].idle()) continue;
      for (std::size_t job = 0; job < jobs_.size(); ++job) {
        if (jobs_[job].phase != Phase::queued || !dag_.jobs[job].workers.contains(worker)) continue;
        if (kPlans && a_busy_worker_may_run(dag_.jobs[job])) continue;
        fail("worker " + std::to_string(worker) + " idles beside job " + std::to_string(job));
      }
    }
  }

  bool a_busy_worker_may_run(const Job& job) const {
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) {
      if (!workers_[worker].idle() && job.workers.contains(worker)) return true;
    }
    return false;
  }

  const Machine& machine_;
  const Dag& dag_;
  EligibilityTable eligibility_;
  P policy_;
  std::vector<JobState> jobs_;
  std::vector<WorkerState> workers_;
  Outstanding outstanding_;
  WorkByUpwardRank waiting_;
  EventQueue<End> events_;
  std::uint64_t sequence_ = 0;
  std::size_t queued_ = 0;
  double now_ = 0;
  Result result_;
};

/// Runs `dag` under policy P and checks these rules:
///   1. Each job runs exactly once, on a worker that may run it, after all its predecessors.
///   2. No worker idles while a queued job may run on it, unless the policy plans and a busy worker may run that job.
///   3. The policy's size is what was put in less what was taken out, and 0 in the end.
/// Under a policy that plans, a job's copies begin when the policy says so or when it is taken. Deterministic.
template <Policy P>
Result simulate(const Machine& machine, const Dag& dag) {
  return Simulation<P>(machine, dag).run();
}

}  // namespace starpath::des
