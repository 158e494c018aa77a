// NBIA with streams of buffers between ranks.
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/words.hpp"
#include "mpi/streams/nbia_stream.hpp"
#include "mpi/transport/buffer_transport.hpp"
#include "pipelines/nbia/field_labels.hpp"
#include "runs/nbia/pipeline.hpp"
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

RankPlan NbiaStreamPipeline::plan() const { return {mpi::MpiUse::shared, request_.readers}; }

std::string NbiaStreamPipeline::agreement() const {
  return fmt::format(" --streams {} --readers {}", request_.streams, request_.readers);
}

const ResultsOfRun& NbiaStreamPipeline::open_input() {
  mpi::BufferTransport::require();
  if (const int ranks = mpi::launched_ranks(); request_.readers > ranks)
    throw Error(ErrorKind::usage, fmt::format("--readers {}: there are {}; give as many at most, or 0 for all",
                                              request_.readers, plural(ranks, "rank")));
  return NbiaPipeline::open_input();
}

Computed NbiaStreamPipeline::compute(TileSource& fields, const ProgressCallback& on_progress, const std::atomic<bool>&,
                                     mpi::Job* job) {
  const mpi::StreamOptions streams{.policy = *mpi::find_stream_policy(request_.streams),
                                   .readers = request_.readers > 0 ? request_.readers : job->size(),
                                   .window = input_->options.window,
                                   .profile = judging_profile()};
  io::FieldStore store(results(), kNbiaFieldLabels);
  mpi::StreamResult result = run_nbia_stream(input_->grid, store, input_->model, input_->options, streams,
                                             stream_workers(), *job, fields, on_progress);
  return {.progress = std::move(result.progress), .stored = result.stored, .buffers = result.buffers};
}

}  // namespace starpath
