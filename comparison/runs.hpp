// The runs of a comparison, each a process of its own.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "comparison/summary.hpp"

namespace starpath {

struct ComparePlan {
  std::vector<std::string> command;   ///< what is run: "segment INPUT ...", "nbia run INPUT ..."
  std::vector<std::string> policies;  ///< each once
  std::string calibrate_under;        ///< the policy of calibration runs
  unsigned repetitions = 3;
  unsigned calibrations = 1;  ///< runs before the compared ones, for the estimates that those begin with
  double timeout = 0;         ///< seconds a run may take; 0: ten times the longest calibration and a minute
};

/// Runs all, one after the other: repetition after repetition, each policy once in it, each repetition beginning with
/// the next policy. What the calibration runs measured (StarPU's history, a profile for the estimator) is copied to
/// every run, so that all begin with the same knowledge. A run that fails, hangs, runs under another policy or counts
/// something else than the first one is one with a `failure`. Results are by repetition, then policy. `on_done` hears
/// of each run that ended, also of calibrations, with how many are done and how many there are. Once `stop` is true no
/// further run is begun. Throws Error when a calibration run fails, or the first run because of the arguments or the
/// input.
std::vector<ComparedRun> run_all(const ComparePlan& plan,
                                 const std::function<void(const ComparedRun&, unsigned, unsigned)>& on_done,
                                 const std::atomic<bool>& stop);

}  // namespace starpath
