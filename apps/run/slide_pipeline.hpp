// What differs between the pipelines that run over the tiles of a slide.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/progress_report.hpp"
#include "apps/run/run_outcome.hpp"
#include "io/results/result_store.hpp"
#include "mpi/job/job.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::apps {

/// How ranks work together.
struct RankPlan {
  mpi::MpiUse use = mpi::MpiUse::alone;  ///< shared: also a single process is a rank
  int takers = 0;                        ///< ranks that take tiles from the manager; 0 for all
  std::string agreement;                 ///< what all must agree in besides the key of the run
};

/// What a process has computed.
struct Computed {
  Progress progress;
  std::optional<std::int64_t> stored = {};  ///< tiles in its results, when they are not those it took
  mpi::Traffic buffers = {};                ///< sent to other ranks
};

/// A process calls, in this order: open(); warn() and open_results() alone and on rank 0, open_part() on other ranks;
/// compute(). A rank then calls close(), and rank 0 merge() for the part of each other rank. Alone and on rank 0,
/// conclude() is the last call. Any of them may throw an Error.
class SlidePipeline {
 public:
  virtual ~SlidePipeline() = default;
  /// The unit of work, in words for people.
  virtual const char* unit() const { return "tile"; }
  /// What is counted, as a plural and as a JSON key.
  virtual const char* found() const = 0;
  virtual RankPlan plan() const { return {}; }
  /// The stages of every tile.
  virtual workflow::AbstractWorkflow workflow() const = 0;
  /// Opens the input and checks the options; writes nothing. The key is what all ranks must agree in.
  virtual const io::RunKey& open() = 0;
  /// Tells on stderr what makes the results doubtful, as far as it is known before any work.
  virtual void warn() const = 0;
  /// Of a run over all tiles. After open(). The caller checks it before --overwrite replaces anything.
  virtual MemoryNeed memory_need() const = 0;
  /// Opens the results in --out, new or to go on with. Parts that ranks of a job before have left are taken over. With
  /// --overwrite what was there goes, and StarPU runs already.
  /// Returns the tiles that are left.
  virtual std::vector<std::int64_t> open_results() = 0;
  /// Makes a results file for this rank alone.
  virtual void open_part(const std::filesystem::path& part) = 0;
  /// `job` is nullptr in a process that is no rank. StarPU is running.
  virtual Computed compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                           mpi::Job* job) = 0;
  /// Closes the results file.
  virtual void close() = 0;
  /// Takes a part over into the results in --out, which are closed. Returns how many tiles it holds.
  virtual std::int64_t merge(const std::filesystem::path& part) = 0;
  /// What is to do once all tiles are in the results. Once `stop` is true no export is begun, and those at work are
  /// given up.
  virtual void conclude(ProgressReport& report, const std::atomic<bool>& stop, Outcome& outcome) = 0;
};

}  // namespace starpath::apps
