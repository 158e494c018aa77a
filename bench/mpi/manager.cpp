// How many stage instances a manager hands out a second.
#include "mpi/protocol/manager.hpp"

#include <benchmark/benchmark.h>

#include <deque>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

namespace starpath::mpi {
namespace {

workflow::AbstractWorkflow chain(int stages) {
  std::vector<workflow::Stage> declared{{"0", {}, {"0"}}};
  for (int stage = 1; stage < stages; ++stage) {
    const std::string name = std::to_string(stage);
    declared.push_back({name, {std::to_string(stage - 1)}, {name}});
  }
  return workflow::AbstractWorkflow(declared);
}

/// Ranks in turn do what they were given: each says that it is finished, and that there is room for another.
void assignments(benchmark::State& state) {
  const auto ranks = static_cast<int>(state.range(0)), stages = static_cast<int>(state.range(1));
  const Agreement agreement{"0.1.0", "slide", "{}"};
  std::vector<std::int64_t> tiles(1 << 16);
  std::iota(tiles.begin(), tiles.end(), 0);
  std::int64_t done = 0;
  for (auto _ : state) {
    Manager manager(ranks, agreement, tiles, 0, chain(stages));
    std::vector<std::deque<StageInstance>> given(static_cast<std::size_t>(ranks));
    const auto tell = [&](int from, const ToManager& message) {
      for (const auto& [rank, answer] : manager.receive(from, message))
        if (const auto* const assign = std::get_if<Assign>(&answer))
          for (const Handout& each : assign->instances) given[static_cast<std::size_t>(rank)].push_back(each.instance);
    };
    for (int rank = 0; rank < ranks; ++rank) {
      tell(rank, Hello{agreement});
      tell(rank, Request{1});
    }
    for (int rank = 0; manager.left() > 0; rank = (rank + 1) % ranks) {
      auto& mine = given[static_cast<std::size_t>(rank)];
      if (mine.empty()) continue;
      const StageInstance instance = mine.front();
      mine.pop_front();
      tell(rank, Finished{instance.tile, false, false, 900, "", instance.stage, instance.stage == stages - 1});
      tell(rank, Request{1});
      ++done;
    }
  }
  state.SetItemsProcessed(done);
}
BENCHMARK(assignments)
    ->ArgNames({"ranks", "stages"})
    ->ArgsProduct({{2, 100, 1000}, {1, 2}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::mpi
