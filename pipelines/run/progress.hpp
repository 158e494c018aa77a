// The progress of a run over the tiles of a slide.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// Seconds and tasks of one stage on one kind of worker.
struct StageShare {
  std::int64_t tasks = 0;
  double seconds = 0;
};

/// Worker kind ("cpu", "cuda") -> stage -> share.
using StageShares = std::map<std::string, std::map<std::string, StageShare>>;

/// The progress of a run. `found` counts the objects of the pipeline in the tiles finished so far: the final count of
/// nuclei may differ by the few at seams.
struct Progress {
  std::int64_t tiles_done = 0, tiles_failed = 0, tiles_skipped = 0, tiles_total = 0, tiles_resumed = 0;
  std::int64_t found = 0;
  double seconds = 0;
  std::int64_t slides_done = 0, slides_total = 0;  // of a study: the other numbers are sums over the slides begun
  std::int64_t tiles_expected = 0;                 // of a study: in all slides, if those not begun are like the others
  std::string note;                                // to be told once; no failure
  std::vector<std::string> news;                   // lines to be told once, unless told to be quiet
  bool interrupted = false;                        // stopped on request before the end
  StageShares shares;

  void count(const TileDone& tile) {
    ++tiles_done;
    tiles_failed += tile.failed;
    tiles_skipped += tile.skipped;
    found += tile.found;
  }
  void add(const StageShares& others) {
    for (const auto& [kind, stages] : others)
      for (const auto& [stage, share] : stages) {
        shares[kind][stage].tasks += share.tasks;
        shares[kind][stage].seconds += share.seconds;
      }
  }
};

/// Called on the thread that runs the pipeline, after each tile. `failure` is empty unless a tile was given up.
using ProgressCallback = std::function<void(const Progress&, const std::string& failure)>;

}  // namespace starpath
