// A run over the tiles of a slide as one rank of several: rank 0 hands out tiles and merges, every rank computes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/run_parts.hpp"
#include "io/results/result_store.hpp"
#include "mpi/cluster/cluster.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::apps {

/// How ranks work together.
struct RankPlan {
  cluster::MpiUse use = cluster::MpiUse::alone;
  int takers = 0;         // ranks that take tiles from the manager; 0 for all
  std::string agreement;  // what all must agree in besides the key of the run
};

/// What a rank has done.
struct RankWork {
  Progress progress;
  std::optional<std::int64_t> stored = {};  // tiles in its results, when they are not those it took
  cluster::Traffic buffers = {};            // sent to other ranks
};

/// What differs from pipeline to pipeline. Each rank calls, in this order: open(); open_results() on rank 0,
/// open_part() on the others; run(); close(). Then rank 0: merge() for each part, and conclude(). Any may throw an
/// Error.
class RankPipeline {
 public:
  virtual ~RankPipeline() = default;
  virtual RankPlan plan() const { return {}; }
  /// Opens the input and checks the options; writes nothing. The key is what all ranks must agree in.
  virtual const io::RunKey& open() = 0;
  /// Opens the results in --out, new or to go on with. Returns the tiles that are left.
  virtual std::vector<std::int64_t> open_results() = 0;
  /// Makes a results file of this rank's own.
  virtual void open_part(const std::filesystem::path& part) = 0;
  virtual RankWork run(cluster::Cluster& cluster, TileSource& tiles, const ProgressCallback& on_progress,
                       const std::atomic<bool>& stop) = 0;
  /// Closes the results file.
  virtual void close() = 0;
  /// Takes a part over into the results in --out. Returns how many tiles it holds.
  virtual std::int64_t merge(const std::filesystem::path& part) = 0;
  /// What is to do once all tiles are in the results.
  virtual void conclude(ProgressReport& report, Outcome& outcome) = 0;
};

/// `found`: what is counted, as in ProgressReport. Returns the exit code.
int run_as_rank(RunArguments& arguments, const std::string& found, RankPipeline& pipeline);

}  // namespace starpath::apps
