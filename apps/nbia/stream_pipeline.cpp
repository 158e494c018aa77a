// NBIA with streams of buffers between ranks.
#include <fmt/format.h>

#include <utility>

#include "apps/nbia/pipeline.hpp"
#include "apps/run/machine_in_use.hpp"
#include "base/error.hpp"
#include "base/words.hpp"
#include "mpi/streams/nbia_stream.hpp"
#include "mpi/transport/buffer_transport.hpp"

namespace starpath::apps {
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

}  // namespace

RankPlan NbiaStreamPipeline::plan() const {
  return {mpi::MpiUse::shared, arguments_.readers,
          fmt::format(" --streams {} --readers {}", arguments_.streams, arguments_.readers)};
}

const io::RunKey& NbiaStreamPipeline::open() {
  mpi::BufferTransport::require();
  if (const int ranks = mpi::launched_ranks(); arguments_.readers > ranks)
    throw Error(ErrorKind::usage, fmt::format("--readers {}: there are {}; give as many at most, or 0 for all",
                                              arguments_.readers, plural(ranks, "rank")));
  return NbiaPipeline::open();
}

Computed NbiaStreamPipeline::compute(TileSource& fields, const ProgressCallback& on_progress, const std::atomic<bool>&,
                                     mpi::Job* job) {
  const mpi::StreamOptions streams{.policy = *mpi::find_stream_policy(arguments_.streams),
                                   .readers = arguments_.readers > 0 ? arguments_.readers : job->size(),
                                   .window = arguments_.options.window};
  mpi::StreamResult result = run_nbia_stream(input_->grid, *store_, input_->model, arguments_.options, streams,
                                             stream_workers(), *job, fields, on_progress);
  return {std::move(result.progress), result.stored, result.buffers};
}

}  // namespace starpath::apps
