// Cost of one push and one pop of the pure policies, at a given number of queued tasks.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "sched_policies/core/fcfs.hpp"
#include "sched_policies/core/pats.hpp"
#include "tests/support/des.hpp"

namespace {

using namespace starpath;

/// Keeps `range(0)` tasks queued; each iteration pops for the workers in turn and pushes the same task again with a
/// new speedup.
template <Policy P>
void push_pop(benchmark::State& state) {
  const Machine machine = des::machine(8, {3});
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
    task.speedups.set(1, speedups[sequence % speedups.size()]);
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

BENCHMARK(push_pop<Fcfs>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
BENCHMARK(push_pop<Pats>)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

}  // namespace
