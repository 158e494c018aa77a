// What a user may ask of a segmentation run, and what it reports while it works.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "pipelines/segmentation/tiling.hpp"

namespace starpath {

struct SegmentationOptions {
  TilingOptions tiling;
  double target_mpp = 0.5;  // of the working grid
  double slide_mpp = 0;     // overrides what the file says; 0 to trust it
  int window = 0;           // tiles in flight; 0 for twice the number of workers
  int attempts = 3;         // for a tile that cannot be read or processed
  bool resume = false;
};

/// Seconds and tasks of one stage on one kind of worker.
struct StageShare {
  std::int64_t tasks = 0;
  double seconds = 0;
};

/// Where a run stands. Nuclei are those owned by finished tiles: the final count may differ by the few at seams.
struct Progress {
  std::int64_t tiles_done = 0, tiles_failed = 0, tiles_skipped = 0, tiles_total = 0, tiles_resumed = 0;
  std::int64_t nuclei = 0;
  double seconds = 0;
  bool interrupted = false;                                         // stopped on request before the end
  std::map<std::string, std::map<std::string, StageShare>> shares;  // worker kind ("cpu", "cuda") -> stage -> share
};

/// Called on the thread that runs the pipeline, after each tile. `failure` is empty unless a tile was given up.
using ProgressCallback = std::function<void(const Progress&, const std::string& failure)>;

}  // namespace starpath
