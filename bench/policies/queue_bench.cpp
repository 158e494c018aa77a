// Cost of one push and one pop of every pure policy, at a given number of queued tasks; and of a planning policy's
// decisions while workers run what they take.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sched_policies/policies/policy_list.hpp"
#include "support/random_dag.hpp"

namespace {

using namespace starpath;

/// Keeps `range(0)` tasks of eight codelets queued; each iteration pops for the workers in turn and pushes the same
/// task again with new speedups. Eight CPU cores and accelerators of `range(1)` classes.
template <Policy P>
void push_pop(benchmark::State& state) {
  constexpr CodeletId kCodelets = 8;
  const Machine machine = state.range(1) == 1 ? des::machine(8, {3}) : des::machine(8, {2, 2});
  EligibilityTable eligibility(machine);
  P policy(PolicyEnvironment{machine, eligibility});
  WorkerSet all;
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) all.insert(worker);
  const GroupId group = eligibility.intern(all);

  std::mt19937_64 random(1);
  std::lognormal_distribution<double> speedup(1, 1);
  std::vector<double> speedups(1U << 16);
  for (double& value : speedups) value = speedup(random);
  std::uint64_t sequence = 0;
  const auto push = [&](TaskRecord& task) {
    task.sequence = ++sequence;
    task.group = group;
    task.speedups.set(0, 1);
    task.codelet = static_cast<CodeletId>(sequence % kCodelets);
    for (ClassId id = 1; id < machine.classes().size(); ++id) {
      task.speedups.set(id, speedups[(sequence * id) % speedups.size()]);
    }
    policy.push(task);
  };
  std::vector<TaskRecord> tasks(static_cast<std::size_t>(state.range(0)));
  for (TaskRecord& task : tasks) push(task);
  WorkerId worker = 0;
  for (auto _ : state) {
    worker = (worker + 1) % static_cast<WorkerId>(machine.workers());
    push(*policy.pop(worker));
  }
}

/// Keeps `range(0)` tasks of eight kinds queued. Each kind has a time on every class, and each task is off it by up to
/// a tenth. Each iteration ends the task of the worker that is done first, lets that worker decide, and pushes what it
/// took again with new times. Counts how many decisions left a worker without a task.
template <PlanningPolicy P>
void plan(benchmark::State& state) {
  constexpr std::size_t kKinds = 8;
  const Machine machine = state.range(1) == 1 ? des::machine(8, {3}) : des::machine(8, {2, 2});
  EligibilityTable eligibility(machine);
  P policy(PolicyEnvironment{machine, eligibility});
  WorkerSet all;
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    all.insert(worker);
    policy.set_present(worker, true);
  }
  const GroupId group = eligibility.intern(all);

  std::mt19937_64 random(1);
  std::lognormal_distribution<double> speedup(1, 1);
  std::uniform_real_distribution<double> off(0.9, 1.1);
  std::vector<TaskCosts> kinds(kKinds);
  for (TaskCosts& kind : kinds) {
    for (ClassId id = 0; id < machine.classes().size(); ++id) kind.seconds[id] = id == 0 ? 0.1 : 0.1 / speedup(random);
  }
  std::vector<double> offs(1U << 16);
  for (double& value : offs) value = off(random);

  std::vector<TaskRecord> tasks(static_cast<std::size_t>(state.range(0)));
  std::uint64_t sequence = 0;
  const auto push = [&](TaskRecord& task, double now) {
    task.sequence = ++sequence;
    task.owner = &task;
    task.group = group;
    const TaskCosts& kind = kinds[sequence % kKinds];
    TaskCosts costs;
    for (ClassId id = 0; id < machine.classes().size(); ++id) {
      costs.seconds[id] = *kind.seconds[id] * offs[(sequence * 7 + id) % offs.size()];
    }
    policy.submitted(group, costs.seconds);
    policy.push(task, costs, now);
    return costs;
  };
  policy.set_outstanding({.seconds = static_cast<double>(tasks.size()) * 0.01});
  for (TaskRecord& task : tasks) push(task, 0);
  std::vector<double> free_at(machine.workers());
  std::vector<TaskRecord*> running(machine.workers());
  std::size_t refused = 0;
  for (auto _ : state) {
    const auto worker = static_cast<WorkerId>(std::ranges::min_element(free_at) - free_at.begin());
    const double now = free_at[worker];
    if (running[worker] != nullptr) policy.finished(worker, running[worker], now, std::nullopt);
    const Decision decision = policy.pop(worker, now);
    running[worker] = decision.task;
    if (decision.task == nullptr) {
      ++refused;
      free_at[worker] = now + 1e-3;
      continue;
    }
    free_at[worker] = now + *push(*decision.task, now).seconds[machine.class_of(worker)];
  }
  state.counters["refused"] = benchmark::Counter(static_cast<double>(refused), benchmark::Counter::kAvgIterations);
}

template <class... Policies>
void register_all(TypeList<Policies...>) {
  const auto add = []<Policy P>() {
    benchmark::RegisterBenchmark(("push_pop/" + std::string(P::kInfo.name)).c_str(), push_pop<P>)
        ->ArgNames({"queued", "accelerator_classes"})
        ->ArgsProduct({{1'000, 10'000, 100'000, 1'000'000}, {1, 2}});
    if constexpr (PlanningPolicy<P>) {
      benchmark::RegisterBenchmark(("plan/" + std::string(P::kInfo.name)).c_str(), plan<P>)
          ->ArgNames({"queued", "accelerator_classes"})
          ->ArgsProduct({{1'000, 10'000, 100'000, 1'000'000}, {1, 2}});
    }
  };
  (add.template operator()<Policies>(), ...);
}

const bool kRegistered = (register_all(PolicyList{}), true);

}  // namespace
