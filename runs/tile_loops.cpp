// Loops for the tiles of a run.
#include "runs/tile_loops.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "base/error.hpp"
#include "base/words.hpp"
#include "mpi/network/network.hpp"
#include "mpi/streams/stream_run.hpp"
#include "mpi/transport/buffer_transport.hpp"
#include "pipelines/run/tile_run.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/machine_in_use.hpp"
#include "sched_policies/starpu/profile_in_use.hpp"

namespace starpath {
namespace {

std::vector<mpi::StreamWorker> stream_workers() {
  const Machine machine = machine_in_use();
  std::vector<mpi::StreamWorker> workers;
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const DeviceClass& device_class = machine.classes()[machine.class_of(worker)];
    workers.push_back({device_class.name, device_class.kind == DeviceKind::accelerator});
  }
  return workers;
}

/// The plug-in says which values of its variables are not allowed.
mpi::JudgingProfile judging_profile() {
  const Options options =
      read_options([](const char* name) -> const char* { return std::getenv(name); }, [](const std::string&) {});
  if (!keeps_samples(options)) return {};
  return {profile_in_use(options), options.machine_profile, options.learn, options.knn_k};
}

}  // namespace

void check_streams(const StreamsAsked& streams) {
  mpi::BufferTransport::require();
  if (const int ranks = mpi::launched_ranks(); streams.readers > ranks)
    throw Error(ErrorKind::usage, fmt::format("--readers {}: there are {}; give as many at most, or 0 for all",
                                              streams.readers, plural(ranks, "rank")));
}

Computed run_over_tiles(const RunRequest& request, int window, const TileFeed& feed,
                        const std::function<Progress(const MakeTileLoop& make_loop, TaskLog* log)>& run) {
  Computed computed;
  if (!request.streams.wanted()) {
    TaskLog* const log = request.record.empty() ? nullptr : &computed.log;
    computed.progress = run(tile_runs(feed.tiles, feed.on_progress), log);
    return computed;
  }
  const mpi::StreamOptions streams{.policy = *mpi::find_stream_policy(request.streams.policy),
                                   .readers = request.streams.readers > 0 ? request.streams.readers : feed.job->size(),
                                   .window = window,
                                   .profile = judging_profile()};
  const std::vector<mpi::StreamWorker> workers = stream_workers();
  mpi::StreamCounts counts;
  computed.progress = run(mpi::stream_runs(streams, workers, *feed.job, feed.tiles, feed.on_progress, counts), nullptr);
  computed.stored = counts.stored;
  computed.buffers = counts.buffers;
  return computed;
}

}  // namespace starpath
