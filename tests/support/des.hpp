// A small discrete-event harness for policies: simulated workers run a random DAG under a policy, every rule checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/planning_policy.hpp"

namespace starpath::des {

/// One task: who may run it, its true time on each class, its estimates, and the tasks that wait for it.
struct Job {
  WorkerSet workers;
  std::vector<double> seconds;  // by class
  Speedups speedups;
  TaskCosts costs;  // what a planning policy is told; the copies are also how long they take
  int priority = 0;
  CodeletId codelet = 0;
  std::vector<std::size_t> successors;
  std::size_t predecessors = 0;
};

struct Dag {
  std::vector<Job> jobs;
  double replaced = 0;  // what a planning policy is told of it
};

struct Result {
  std::string error;  ///< "" when every rule held
  double makespan = 0;
  std::vector<WorkerId> ran_on;    // by job
  std::vector<std::size_t> order;  // jobs as they were started
};

/// The fastest of a job's estimates; 0 when it has none.
inline double least_seconds(const Job& job) {
  double least = 0;
  for (const auto& seconds : job.costs.seconds) {
    if (seconds) least = least == 0 ? *seconds : std::min(least, *seconds);
  }
  return least;
}

/// How long the whole machine would be busy with a job that every class takes its share of.
inline double share_of(const Job& job, const Machine& machine) {
  double speed = 0;
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    if (const auto seconds = job.costs.seconds[machine.class_of(worker)]) speed += 1 / *seconds;
  }
  return speed > 0 ? 1 / speed : 0;
}

/// Of each job, the longest chain of jobs that wait for it, each where it is estimated to be fastest.
inline std::vector<double> tails_of(const Dag& dag) {
  std::vector<double> tails(dag.jobs.size());
  for (std::size_t job = dag.jobs.size(); job-- > 0;) {  // successors have higher numbers
    for (const std::size_t next : dag.jobs[job].successors) {
      tails[job] = std::max(tails[job], least_seconds(dag.jobs[next]) + tails[next]);
    }
  }
  return tails;
}

/// Runs `dag` under policy P. Rules checked: each job runs exactly once, on a worker that may run it, after all its
/// predecessors; no worker stays idle while a queued job may run on it, unless the policy plans and a busy worker may
/// run it too; the policy's size is what was put in less what was taken out; in the end it is empty. Under a policy
/// that plans a job's copies begin when it is reserved or taken. Deterministic.
template <Policy P>
Result simulate(const Machine& machine, const Dag& dag) {
  struct Queued : TaskRecord {
    std::size_t job = 0;
  };
  constexpr bool kPlans = PlanningPolicy<P>;
  EligibilityTable eligibility(machine);
  P policy(PolicyEnvironment{machine, eligibility});
  if constexpr (kPlans) {
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) policy.set_present(worker, true);
  }
  const std::vector<double> tails = tails_of(dag);
  Outstanding outstanding{.replaced = dag.replaced};
  WorkByUpwardRank waiting;
  std::vector<WorkByUpwardRank::Level> levels;  // by job
  for (std::size_t job = 0; job < dag.jobs.size(); ++job) {
    const double share = share_of(dag.jobs[job], machine);
    outstanding.seconds += share;
    levels.push_back(WorkByUpwardRank::level(least_seconds(dag.jobs[job]) + tails[job]));
    waiting.add(levels[job], share);
  }
  outstanding.waiting = &waiting;
  std::vector<double> fetched(dag.jobs.size(), -1);  // when the copies of a reserved job are there
  std::vector<Queued> records(dag.jobs.size());
  std::vector<std::size_t> missing(dag.jobs.size());
  std::vector<int> state(dag.jobs.size(), 0);  // 0 not ready, 1 queued, 2 running, 3 done
  std::uint64_t sequence = 0;
  std::size_t queued = 0;
  Result result;
  result.ran_on.resize(dag.jobs.size());
  const auto fail = [&](const std::string& what) {
    if (result.error.empty()) result.error = what;
  };

  const auto submit = [&](std::size_t job) {
    const Job& own = dag.jobs[job];
    Queued& record = records[job];
    record.job = job;
    record.sequence = sequence++;
    record.priority = own.priority;
    record.codelet = own.codelet;
    record.speedups = own.speedups;
    record.group = eligibility.intern(own.workers);
    record.owner = &record;
    state[job] = 1;
    ++queued;
    if constexpr (kPlans) {
      TaskCosts costs = own.costs;
      if (job % 2 == 0) costs.tail = tails[job];  // of the others it learns late
      policy.push(record, costs);
      policy.set_tail(record, tails[job]);
      policy.set_outstanding(outstanding);
    } else {
      policy.push(record);
    }
  };

  struct Event {
    double time;
    std::uint64_t number;
    WorkerId worker;
    std::size_t job;
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::vector<bool> idle(machine.workers(), true);
  std::vector<std::size_t> held(machine.workers());   // jobs that a worker has begun or will after those
  std::vector<double> busy_until(machine.workers());  // it has done them
  std::uint64_t number = 0;
  double now = 0;

  const auto pop = [&](WorkerId worker) {
    if constexpr (kPlans) {
      return policy.pop(worker, now).task;
    } else {
      return policy.pop(worker);
    }
  };
  const auto reserve = [&](WorkerId worker) {
    if constexpr (kPlans) {
      TaskRecord* const reserved = policy.reserve(worker, now);
      if (reserved == nullptr) return;
      const std::size_t job = static_cast<Queued*>(reserved)->job;
      if (state[job] != 1) fail("job " + std::to_string(job) + " was reserved when it was not queued");
      fetched[job] = now + dag.jobs[job].costs.copy_to(machine.memory_of(worker));
      policy.hold(worker, *reserved);
    }
  };
  const auto another = [&](WorkerId worker) -> TaskRecord* {
    if constexpr (kPlans) return policy.another(worker, now);
    return nullptr;
  };
  const auto begin_job = [&](WorkerId worker, TaskRecord* taken) {
    const std::size_t job = static_cast<Queued*>(taken)->job;
    if (state[job] != 1) fail("job " + std::to_string(job) + " was handed out when it was not queued");
    if (!dag.jobs[job].workers.contains(worker)) fail("job " + std::to_string(job) + " on a worker that cannot run it");
    --queued;
    state[job] = 2;
    result.ran_on[job] = worker;
    result.order.push_back(job);
    waiting.remove(levels[job], share_of(dag.jobs[job], machine));
    idle[worker] = false;
    ++held[worker];
    double begin = std::max(now, busy_until[worker]);
    if (kPlans)
      begin = std::max(begin,
                       fetched[job] >= 0 ? fetched[job] : now + dag.jobs[job].costs.copy_to(machine.memory_of(worker)));
    busy_until[worker] = begin + dag.jobs[job].seconds[machine.class_of(worker)];
    events.push({busy_until[worker], number++, worker, job});
  };
  const auto start = [&](WorkerId worker) {
    TaskRecord* const taken = pop(worker);
    if (taken == nullptr) return;
    begin_job(worker, taken);
    while (TaskRecord* const more = another(worker)) begin_job(worker, more);
    reserve(worker);
  };

  if constexpr (kPlans)
    for (const Job& job : dag.jobs) policy.submitted(eligibility.intern(job.workers), job.costs.seconds);
  for (std::size_t job = 0; job < dag.jobs.size(); ++job) {
    missing[job] = dag.jobs[job].predecessors;
    if (missing[job] == 0) submit(job);
  }
  while (true) {
    // What one leaves another takes, perhaps after a third left it too.
    for (std::size_t passes = kPlans ? machine.workers() + 2 : 1, before = queued; passes-- > 0;) {
      if (queued != before) passes = machine.workers() + 2;
      before = queued;
      for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
        if (idle[worker]) start(worker);
      }
    }
    if (policy.size() != queued) fail("size() is not the number of queued tasks");
    for (WorkerId worker = 0; worker < machine.workers() && result.error.empty(); ++worker) {
      if (!idle[worker]) continue;
      for (std::size_t job = 0; job < dag.jobs.size(); ++job) {
        if (state[job] != 1 || !dag.jobs[job].workers.contains(worker)) continue;
        bool left_to_another = false;
        for (WorkerId other = 0; kPlans && other < machine.workers(); ++other) {
          left_to_another = left_to_another || (!idle[other] && dag.jobs[job].workers.contains(other));
        }
        if (!left_to_another) {
          fail("worker " + std::to_string(worker) + " idles beside job " + std::to_string(job));
        }
      }
    }
    if (events.empty() || !result.error.empty()) break;
    const Event event = events.top();
    events.pop();
    now = event.time;
    idle[event.worker] = --held[event.worker] == 0;
    if constexpr (kPlans) {
      policy.finished(event.worker, &records[event.job], now,
                      dag.jobs[event.job].seconds[machine.class_of(event.worker)]);
      outstanding.seconds -= share_of(dag.jobs[event.job], machine);
    }
    state[event.job] = 3;
    for (const std::size_t next : dag.jobs[event.job].successors) {
      if (--missing[next] == 0) submit(next);
    }
  }
  for (std::size_t job = 0; job < dag.jobs.size(); ++job) {
    if (state[job] != 3) fail("job " + std::to_string(job) + " never ran");
  }
  result.makespan = now;
  return result;
}

/// `cpus` CPU workers, then the workers of each accelerator class.
inline Machine machine(unsigned cpus, const std::vector<unsigned>& accelerators) {
  std::vector<DeviceClass> classes;
  std::vector<ClassId> class_of;
  if (cpus != 0) {
    classes.push_back({"cpu", DeviceKind::cpu});
    class_of.assign(cpus, 0);
  }
  for (const unsigned count : accelerators) {
    class_of.insert(class_of.end(), count, static_cast<ClassId>(classes.size()));
    classes.push_back({"gpu" + std::to_string(classes.size()), DeviceKind::accelerator});
  }
  return Machine(classes, class_of);
}

/// What `random_dag` draws from.
struct DagShape {
  std::size_t jobs = 200;
  double edges_per_job = 1.5;
  double restricted = 0.3;  ///< share of jobs that only some workers may run
  double unknown = 0.2;     ///< share of jobs without an estimate
  double copied = 0.3;      ///< share of memories that a job's data has to be copied to
  double second = 1;        ///< what counts as a second of run time
  int priorities = 3;       ///< drawn from 0 .. priorities - 1
};

/// A random DAG in which every job has a worker that may run it.
inline Dag random_dag(const Machine& machine, const DagShape& shape, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::lognormal_distribution<double> speed(1.0, 1.0);
  Dag dag;
  dag.jobs.resize(shape.jobs);
  for (std::size_t j = 0; j < shape.jobs; ++j) {
    Job& job = dag.jobs[j];
    job.priority = static_cast<int>(random() % static_cast<unsigned>(shape.priorities));
    job.codelet = static_cast<CodeletId>(random() % 5);
    const double base = shape.second * (0.1 + unit(random));
    const bool known = unit(random) >= shape.unknown;
    for (ClassId id = 0; id < machine.classes().size(); ++id) {
      const double speedup = machine.classes()[id].kind == DeviceKind::cpu ? 1.0 : speed(random);
      job.seconds.push_back(base / speedup);
      if (!known) continue;
      job.speedups.set(id, speedup);
      job.costs.seconds[id] = job.seconds[id];
    }
    for (double& copy : job.costs.copies) copy = unit(random) < shape.copied ? shape.second * 0.2 * unit(random) : 0;
    const bool restricted = unit(random) < shape.restricted;
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      if (!restricted || unit(random) < 0.4) job.workers.insert(worker);
    }
    if (job.workers.empty()) job.workers.insert(static_cast<WorkerId>(random() % machine.workers()));
    const auto edges = j == 0 ? 0 : static_cast<std::size_t>(shape.edges_per_job * 2 * unit(random));
    for (std::size_t e = 0; e < edges; ++e) {
      dag.jobs[random() % j].successors.push_back(j);
      ++job.predecessors;
    }
  }
  return dag;
}

}  // namespace starpath::des
