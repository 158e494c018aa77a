// NBIA as one rank of several.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "apps/nbia/run.hpp"
#include "apps/run/machine_in_use.hpp"
#include "apps/run/rank_run.hpp"
#include "apps/run/words.hpp"
#include "base/error.hpp"
#include "io/results/result_parts.hpp"
#include "mpi/streams/buffer_transport.hpp"
#include "mpi/streams/nbia_stream.hpp"
#include "pipelines/nbia/field_labels.hpp"

namespace starpath::apps {
namespace {

/// Fields are handed out to ranks, which read them.
class NbiaRank : public RankPipeline {
 public:
  explicit NbiaRank(NbiaArguments& arguments) : arguments_(arguments) {}

  const io::RunKey& open() override { return input_.emplace(arguments_).key; }
  std::vector<std::int64_t> open_results() override {
    store_.emplace(open_fields(arguments_, *input_));
    return fields_left(input_->grid, *store_, input_->model, arguments_.options);
  }
  void open_part(const std::filesystem::path& part) override {
    store_.emplace(io::FieldStore::create(part, input_->key, input_->info, kNbiaFieldLabels));
  }
  RankWork run(cluster::Cluster&, TileSource& tiles, const ProgressCallback& on_progress,
               const std::atomic<bool>& stop) override {
    return {run_nbia_fields(input_->grid, *store_, input_->model, arguments_.options, tiles, on_progress, stop)};
  }
  void close() override { store_.reset(); }
  std::int64_t merge(const std::filesystem::path& part) override {
    return io::merge_field_part(results_file(arguments_), part, input_->key);
  }
  void conclude(ProgressReport& report, Outcome& outcome) override {
    store_.emplace(io::FieldStore::resume(results_file(arguments_), input_->key, kNbiaFieldLabels));
    conclude_nbia(arguments_, *input_, *store_, report, outcome);
  }

 protected:
  NbiaArguments& arguments_;
  std::optional<NbiaInput> input_;
  std::optional<io::FieldStore> store_;
};

std::vector<cluster::StreamWorker> own_workers() {
  const Machine machine = machine_in_use();
  std::vector<cluster::StreamWorker> workers;
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const DeviceClass& own = machine.classes()[machine.class_of(worker)];
    workers.push_back({own.name, own.kind == DeviceKind::accelerator});
  }
  return workers;
}

/// Fields are read by some ranks, and go as buffers to those that ask for them.
class NbiaStreamRank : public NbiaRank {
 public:
  using NbiaRank::NbiaRank;

  RankPlan plan() const override {
    return {cluster::MpiUse::shared, arguments_.readers,
            fmt::format(" --streams {} --readers {}", arguments_.streams, arguments_.readers)};
  }
  const io::RunKey& open() override {
    cluster::BufferTransport::require();
    if (const int ranks = cluster::launched_ranks(); arguments_.readers > ranks)
      throw Error(ErrorKind::usage, fmt::format("--readers {}: there are {}; give as many at most, or 0 for all",
                                                arguments_.readers, plural(ranks, "rank")));
    return NbiaRank::open();
  }
  RankWork run(cluster::Cluster& cluster, TileSource& tiles, const ProgressCallback& on_progress,
               const std::atomic<bool>&) override {
    const cluster::StreamOptions streams{.policy = *cluster::find_stream_policy(arguments_.streams),
                                         .readers = arguments_.readers > 0 ? arguments_.readers : cluster.size(),
                                         .window = arguments_.options.window};
    cluster::StreamResult result = run_nbia_stream(input_->grid, *store_, input_->model, arguments_.options, streams,
                                                   own_workers(), cluster, tiles, on_progress);
    return {std::move(result.progress), result.stored, result.buffers};
  }
};

}  // namespace

int nbia_as_rank(NbiaArguments arguments) {
  NbiaRank pipeline(arguments);
  return run_as_rank(arguments, "tissue_fields", pipeline);
}

int nbia_as_stream_rank(NbiaArguments arguments) {
  NbiaStreamRank pipeline(arguments);
  return run_as_rank(arguments, "tissue_fields", pipeline);
}

}  // namespace starpath::apps
