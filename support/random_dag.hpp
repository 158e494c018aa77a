// Graphs of jobs for simulated workers, by hand or random.
#pragma once
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "sched_policies/core/policy.hpp"
#include "sched_policies/planning/task_costs.hpp"

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
