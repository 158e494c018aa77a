// Cost of one push and one pop of every pure policy, at a given number of queued tasks.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sched_policies/core/policy_list.hpp"
#include "tests/support/des.hpp"

namespace {

using namespace starpath;

/// Keeps `range(0)` tasks of eight streams queued; each iteration pops for the workers in turn and pushes the same
/// task again with new speedups. Eight CPU cores and accelerators of `range(1)` classes.
template <Policy P>
void push_pop(benchmark::State& state) {
  constexpr StreamId kStreams = 8;
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
    task.stream = static_cast<StreamId>(sequence % kStreams);
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

template <class... Policies>
void register_all(TypeList<Policies...>) {
  const auto add = []<Policy P>() {
    benchmark::RegisterBenchmark(("push_pop/" + std::string(P::kInfo.name)).c_str(), push_pop<P>)
        ->ArgNames({"queued", "accelerator_classes"})
        ->ArgsProduct({{1'000, 100'000, 1'000'000}, {1, 2}});
  };
  (add.template operator()<Policies>(), ...);
}

const bool registered = (register_all(PolicyList{}), true);

}  // namespace
