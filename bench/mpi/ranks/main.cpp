// How many tiles a second a manager hands out to other ranks over MPI when computing a tile takes no time.
// Usage: mpirun -n N bench_mpi_ranks TILES WINDOW
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "mpi/job/job.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/tile_intake.hpp"

namespace {

using namespace starpath;

void run(TileSource& source, std::size_t window) {
  BlockingQueue<SourceEvent> events;
  TileIntake intake(source, window, [&](SourceEvent event) { events.push(std::move(event)); });
  while (!intake.over()) {
    while (intake.has_next()) intake.finished({intake.next().instance.tile, false, false, 900, ""});
    intake.ask(0);
    intake.idle();
    intake.handle(events.pop());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t tiles = argc > 1 ? std::atoll(argv[1]) : 100000;
  const std::size_t window = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 24;
  const mpi::Agreement agreement{"", "", ""};
  mpi::Job ranks({60, nullptr, [](const std::string& what) { fmt::print(stderr, "{}\n", what); }});
  if (ranks.rank() != 0) {
    run(ranks.work(agreement), window);
    ranks.bye("");
    return 0;
  }
  std::vector<std::int64_t> all(static_cast<std::size_t>(tiles));
  std::iota(all.begin(), all.end(), 0);
  const auto begin = std::chrono::steady_clock::now();
  run(ranks.manage(agreement, std::move(all)), ranks.size() > 1 ? 0 : window);  // its own tiles need no message
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ranks.finish();
  fmt::print("{} ranks, window {}: {:.0f} tiles/s\n", ranks.size(), window, static_cast<double>(tiles) / seconds);
}
