// How many tiles a manager hands out a second.
#include "mpi/protocol/manager.hpp"

#include <benchmark/benchmark.h>

#include <numeric>

namespace starpath::cluster {
namespace {

/// What every rank sends for each tile: that it is finished, and that there is room for another.
void assignments(benchmark::State& state) {
  const auto ranks = static_cast<int>(state.range(0));
  const Agreement agreement{"0.1.0", "slide", "{}"};
  std::vector<std::int64_t> tiles(1 << 16);
  std::iota(tiles.begin(), tiles.end(), 0);
  const auto total = static_cast<std::int64_t>(tiles.size());
  for (auto _ : state) {
    Manager manager(ranks, agreement, tiles);
    for (int rank = 0; rank < ranks; ++rank) {
      manager.receive(rank, Hello{agreement});
      manager.receive(rank, Request{1});
    }
    std::int64_t finished = 0;
    for (int rank = 0; finished < total; rank = (rank + 1) % ranks) {
      benchmark::DoNotOptimize(manager.receive(rank, Finished{finished++, false, false, 900, ""}));
      benchmark::DoNotOptimize(manager.receive(rank, Request{1}));
    }
    if (manager.left() > 0) return state.SkipWithError("tiles are left");
  }
  state.SetItemsProcessed(state.iterations() * total);
}
BENCHMARK(assignments)->Arg(2)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starpath::cluster
