// What a run over a slide came to, and how its command tells it.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/run_arguments.hpp"
#include "base/atomic_file.hpp"
#include "comparison/record.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/progress.hpp"

namespace starpath::apps {

/// What ranks have sent each other.
struct RankTraffic {
  mpi::Traffic control, buffers;
};

struct Outcome {
  Progress progress;
  const char* unit = "tile";                             // what a tile is called, for people
  std::string found;                                     // in words: "1,234 nuclei"
  nlohmann::json found_json = nlohmann::json::object();  // the same as members of the summary
  nlohmann::json about = nlohmann::json::object();       // what the summary says besides
  std::string resolution;                                // of the slide, in words
  std::vector<std::string> lines;                        // told before the totals
  std::vector<std::string> warnings;                     // what makes results doubtful, a line each
  std::vector<std::string> early_warnings;               // the same, told before the work (SlidePipeline::warn)
  std::string policy;
  int cpu_workers = 0, gpu_workers = 0;
  std::optional<std::int64_t> stored;                  // tiles in this rank's results, when they are not those it took
  std::optional<RankTraffic> traffic;                  // of a job of several ranks
  std::optional<RunRecord> record;                     // when it was asked for
  std::vector<std::filesystem::path> files;            // written
  std::vector<std::filesystem::path> failed_exports;   // not written, because the slide could not be read for them
  std::vector<std::filesystem::path> stopped_exports;  // not written, because the user stopped the run
};

/// In the order in which they are found.
std::vector<std::string> all_warnings(const Outcome& outcome);

/// Writes the record to `record`, if there is one. Prints the outcome on stdout as the user asked for: one JSON line,
/// the last of a --json run; or the files, then one line of totals and shares. Prints on stderr what went wrong, if
/// anything. Returns the exit code (docs/robustness.md).
int tell(const RunArguments& arguments, const Outcome& outcome, AtomicFile* record);

}  // namespace starpath::apps
