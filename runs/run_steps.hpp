// The steps that every run takes, over the tiles of a slide or the slides of a study.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mpi/job/job.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tile_source.hpp"
#include "runs/run_listener.hpp"
#include "runs/run_result.hpp"

namespace starpath {

/// A process hands out the work (alone, or as rank 0), or asks rank 0 for it.
enum class Role { manager, worker };

/// How ranks work together.
struct RankPlan {
  mpi::MpiUse use = mpi::MpiUse::alone;  ///< shared: also a single process is a rank
  int takers = 0;                        ///< ranks that take work from the manager; 0 for all
};

/// What this process has computed.
struct Computed {
  Progress progress = {};
  TaskLog log = {};                         ///< of every task; empty without --record
  std::optional<std::int64_t> stored = {};  ///< tiles in its results, when they are not those it took
  mpi::Traffic buffers = {};                ///< sent to other ranks
  nlohmann::json more = {};                 ///< what a rank tells rank 0 besides
};

/// What another rank has left when it is gone.
struct RankPart {
  std::string rank;            ///< "rank 3 on node7"
  std::filesystem::path file;  ///< its results; not there where it wrote none
  std::int64_t stored;         ///< tiles that the file must hold
  nlohmann::json more;         ///< Computed::more
};

/// What the end of a run works with.
struct Ending {
  RunListener& report;
  const std::atomic<bool>& stop;  ///< once true, no export is begun, and those at work are given up
  int threads;                    ///< that exports may use together
};

/// A run computes units: the tiles of a slide, or the slides of a study. run_pipeline() takes these steps in the order
/// in which they stand here; a rank other than 0 opens a part in place of the results, and ends with close(). Each may
/// throw an Error.
class RunSteps {
 public:
  virtual ~RunSteps() = default;
  /// What a tile is called, for people.
  virtual const char* unit() const { return "tile"; }
  /// What is counted, as a plural and as a JSON key.
  virtual const char* found() const = 0;
  virtual RankPlan plan() const { return {}; }
  /// The stages of every unit.
  virtual workflow::AbstractWorkflow workflow() const = 0;
  /// Opens the input and checks the request; writes nothing. Returns what all ranks must agree in.
  virtual mpi::Agreement open(Role role) = 0;
  /// Lines for the user of the manager: what makes the results doubtful, as far as it is known before any work.
  virtual std::vector<std::string> notes() const { return {}; }
  /// The caller checks it before --overwrite replaces anything. Nothing: each unit is checked by itself.
  virtual MemoryNeed memory_need() const = 0;
  /// Throws Error{input} when a file that is read beside RunRequest::input has changed.
  virtual void check_inputs() const {}
  /// The manager opens the results in --out, new or to go on with; with --overwrite they are replaced, and StarPU runs
  /// already. Returns the units that are left.
  virtual std::vector<std::int64_t> open_results() = 0;
  /// A worker may write its results to this file, which the manager takes over.
  virtual void open_part(const std::filesystem::path& part) = 0;
  /// `job` is nullptr in a process that is no rank. StarPU is running.
  virtual Computed compute(TileSource& units, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                           mpi::Job* job) = 0;
  /// A rank closes its files.
  virtual void close() = 0;
  /// Rank 0 takes over what the other ranks have left.
  virtual void take_over(const std::vector<RankPart>& parts, RunListener& report) = 0;
  /// The manager finishes the results and writes the exports.
  virtual Conclusion conclude(const RunWork& work, const Ending& ending) = 0;
};

}  // namespace starpath
