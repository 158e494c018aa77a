// What a run came to.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/slides/resolution.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/progress.hpp"
#include "runs/compute.hpp"

namespace starpath {

/// What ranks have sent each other.
struct RankTraffic {
  mpi::Traffic control, buffers;
};

/// The computation, which is the first phase: sums over all ranks.
struct RunWork {
  SessionUsed session;
  Progress progress;
  std::optional<RankTraffic> traffic;  ///< of a job of several ranks
};

/// What became of the exports.
struct ExportsAtEnd {
  std::vector<std::filesystem::path> written;
  std::vector<std::filesystem::path> failed;   ///< the slide could not be read for them
  std::vector<std::filesystem::path> stopped;  ///< the user stopped the run before
};

/// Why a run that computed all it could is not complete, as the command ends.
struct Shortfall {
  std::string words;  ///< a line for people; empty: it was told before
  ErrorKind kind;
};

/// What was found and written, which is the last phase.
struct Conclusion {
  std::filesystem::path database = {};                   ///< results.sqlite or study.sqlite
  std::string found = {};                                ///< in words: "1,234 nuclei"
  nlohmann::json found_json = nlohmann::json::object();  ///< the same as members of the summary
  nlohmann::json about = nlohmann::json::object();       ///< what the summary says besides
  std::optional<io::Resolution> resolution = {};         ///< of the slide
  std::vector<std::string> lines = {};                   ///< told before the totals
  std::vector<std::string> warnings = {};                ///< what makes results doubtful, a line each
  ExportsAtEnd exports = {};
  std::optional<Shortfall> shortfall = {};
};

struct RunResult {
  const char* unit;  ///< what a tile is called, for people
  RunWork work;
  Conclusion conclusion;
};

/// Whether the user stopped the work or the exports.
bool interrupted(const RunWork& work, const ExportsAtEnd& exports);

/// {"mpp", "source", "detail"}.
nlohmann::json resolution_json(const io::Resolution& resolution);

/// {kind of worker: {stage: {"tasks", "seconds"}}}; null without shares.
nlohmann::json shares_json(const StageShares& all);

/// What was counted, as JSON: the same under every policy.
nlohmann::json counted(const Conclusion& conclusion);

}  // namespace starpath
