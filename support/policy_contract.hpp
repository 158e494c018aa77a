// The contract of a policy (sched_policies/core/policy.hpp), checked on random graphs and machines. It needs no test
// library, so that projects outside of this one check their policies with it too.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sched_policies/core/policy.hpp"
#include "support/policy_simulation.hpp"
#include "support/random_dag.hpp"

namespace starpath::des {

/// Machines of one and of several classes, without cores too.
inline std::vector<Machine> machines() {
  return {machine(1, {}),     machine(4, {}),  machine(2, {1}),      machine(9, {3}),
          machine(4, {2, 1}), machine(0, {2}), machine(3, {1, 1, 1})};
}

/// Runs a random graph of the shape on one of the machines for each seed from 1 to `seeds`. Returns the first rule of
/// simulate() that was broken, with its seed; empty when all held. `replaced`: see Dag.
template <Policy P>
std::string broken_rule(std::uint64_t seeds, auto shape_of_seed, bool replaced = false) {
  const std::vector<Machine> all = machines();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::mt19937_64 random(seed);
    const Machine& machine = all[seed % all.size()];
    Dag dag = random_dag(machine, shape_of_seed(seed, random), random);
    if (replaced) dag.replaced = 0.5 * static_cast<double>(seed % 3);
    const Result result = simulate<P>(machine, dag);
    if (!result.error.empty()) return "seed " + std::to_string(seed) + ": " + result.error;
    if (!(result.makespan > 0)) return "seed " + std::to_string(seed) + ": no time passed";
  }
  return "";
}

/// Graphs of 50 to 249 tasks.
template <Policy P>
std::string broken_on_graphs() {
  return broken_rule<P>(
      100, [](std::uint64_t, auto& random) { return DagShape{.jobs = 50 + random() % 200}; }, true);
}

/// Many short tasks. Some policies give a worker several of them at once.
template <Policy P>
std::string broken_on_short_tasks() {
  return broken_rule<P>(20, [](std::uint64_t seed, auto&) {
    return DagShape{
        .jobs = 1000, .edges_per_job = 0.2, .unknown = 0.02 * static_cast<double>(seed % 2), .second = 1e-6};
  });
}

/// The same graph twice.
template <Policy P>
std::string broken_by_a_second_run() {
  std::mt19937_64 random(7);
  const Machine host = machine(3, {2});
  const Dag dag = random_dag(host, {}, random);
  const Result first = simulate<P>(host, dag), second = simulate<P>(host, dag);
  return first.order == second.order && first.ran_on == second.ran_on ? "" : "a second run has another order";
}

/// One task that is pushed and popped three times.
template <Policy P>
std::string broken_by_a_task_that_returns() {
  const Machine host = machine(1, {});
  EligibilityTable eligibility(host);
  P policy(PolicyEnvironment{host, eligibility});
  WorkerSet all;
  all.insert(0);
  TaskRecord task;
  task.group = eligibility.intern(all);
  for (task.sequence = 0; task.sequence < 3; ++task.sequence) {
    policy.push(task);
    if (policy.size() != 1) return "size() is not 1 after a task was pushed";
    if (policy.pop(0) != &task) return "a task that was pushed again is not returned";
    if (policy.pop(0) != nullptr) return "pop returns a task when none is queued";
  }
  return "";
}

/// All of the above: the first rule that policy P breaks, or nothing. Takes about a second.
template <Policy P>
std::string broken_contract() {
  for (const auto check :
       {broken_by_a_task_that_returns<P>, broken_on_graphs<P>, broken_on_short_tasks<P>, broken_by_a_second_run<P>})
    if (const std::string broken = check(); !broken.empty()) return broken;
  return "";
}

}  // namespace starpath::des
