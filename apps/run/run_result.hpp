// What a run came to, and how its command tells it.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/compute.hpp"
#include "apps/run/run_request.hpp"
#include "base/error.hpp"
#include "io/slides/resolution.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/progress.hpp"

namespace starpath::apps {

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

/// What was counted, as JSON: the same under every policy.
nlohmann::json counted(const Conclusion& conclusion);

/// Prints the result on stdout as the user asked for: one JSON line, the last of a --json run; or the files, then one
/// line of totals and shares. Prints on stderr what went wrong, if anything. Returns the exit code
/// (docs/robustness.md).
int tell(const RunRequest& request, const RunResult& result);

}  // namespace starpath::apps
