// Summary of a run, for people and for machines.
#include "apps/run/run_outcome.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/run/files_at_work.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/terminal.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/words.hpp"
#include "codelets/starpu/gpu_workers.hpp"

namespace starpath::apps {
namespace {

/// "cpu (2 workers) 100.0 % of tasks, 100.0 % of time".
std::string shares_text(const Outcome& outcome) {
  double seconds = 0;
  std::int64_t tasks = 0;
  std::map<std::string, StageShare> kinds;
  for (const auto& [kind, stages] : outcome.progress.shares)
    for (const auto& [stage, share] : stages) {
      kinds[kind].tasks += share.tasks;
      kinds[kind].seconds += share.seconds;
      tasks += share.tasks;
      seconds += share.seconds;
    }
  std::string text;
  for (const auto& [kind, share] : kinds)
    text += fmt::format("{}{} ({}) {:.1f} % of tasks, {:.1f} % of time", text.empty() ? "" : "; ", kind,
                        plural(kind == "cpu" ? outcome.cpu_workers : outcome.gpu_workers, "worker"),
                        100.0 * static_cast<double>(share.tasks) / static_cast<double>(tasks),
                        seconds > 0 ? 100.0 * share.seconds / seconds : 0.0);
  return text.empty() ? "nothing left to run" : text;
}

/// "; between ranks 12 KiB of control and 3,401 KiB of buffers".
std::string traffic_text(const Outcome& outcome) {
  if (!outcome.traffic) return "";
  const auto& [control, buffers] = *outcome.traffic;
  return fmt::format("; between ranks {} KiB of control and {} KiB of buffers", grouped((control.bytes + 1023) / 1024),
                     grouped((buffers.bytes + 1023) / 1024));
}

/// Most memory this process has held, in MiB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print_json(const Outcome& outcome) {
  nlohmann::json shares;
  for (const auto& [kind, stages] : outcome.progress.shares)
    for (const auto& [stage, share] : stages)
      shares[kind][stage] = {{"tasks", share.tasks}, {"seconds", share.seconds}};
  nlohmann::json files = nlohmann::json::array();
  for (const std::filesystem::path& file : outcome.files) files.push_back(file.string());
  const Progress& progress = outcome.progress;
  nlohmann::json line = {{"event", "summary"},
                         {"policy", outcome.policy},
                         {"tiles", progress.tiles_total},
                         {"tiles_resumed", progress.tiles_resumed},
                         {"tiles_background", progress.tiles_skipped},
                         {"tiles_failed", progress.tiles_failed},
                         {"seconds", progress.seconds},
                         {"interrupted", progress.interrupted},
                         {"peak_memory_mib", peak_memory()},
                         {"workers", {{"cpu", outcome.cpu_workers}, {codelets::kGpuKind, outcome.gpu_workers}}},
                         {"shares", shares},
                         {"files", files},
                         {"warnings", all_warnings(outcome)}};
  if (outcome.traffic) {
    const auto& [control, buffers] = *outcome.traffic;
    line["traffic"] = {{"control_messages", control.messages},
                       {"control_bytes", control.bytes},
                       {"buffers", buffers.messages},
                       {"buffer_bytes", buffers.bytes}};
  }
  line.update(outcome.found_json);
  line.update(outcome.about);
  write_json(line);
}

void print_text(const Outcome& outcome) {
  const Progress& progress = outcome.progress;
  for (const std::filesystem::path& file : outcome.files) print_out("{}\n", file.string());
  for (const std::string& line : outcome.lines) print_out("{}\n", line);
  const auto worked = static_cast<double>(progress.tiles_done - progress.tiles_resumed);
  const std::string tiles = progress.interrupted ? grouped(progress.tiles_done) + " of " : "";
  print_out("{}{} ({} glass, {} failed, {} from before), {}{}{:.2f} s, {:.2f} {}s/s under {}; {}{}\n", tiles,
            plural(progress.tiles_total, outcome.unit), progress.tiles_skipped, progress.tiles_failed,
            progress.tiles_resumed, outcome.found.empty() ? "" : outcome.found + ", ",
            outcome.resolution.empty() ? "" : outcome.resolution + ", ", progress.seconds,
            progress.seconds > 0 ? worked / progress.seconds : 0.0, outcome.unit, outcome.policy, shares_text(outcome),
            traffic_text(outcome));
}

int conclude(const Outcome& outcome) {
  const Progress& progress = outcome.progress;
  for (const std::string& warning : outcome.warnings) print_error("starpath: warning: {}\n", warning);
  if (!outcome.stopped_exports.empty())
    return tell_stopped(outcome.stopped_exports, fmt::format("all {}s are kept, continue with --resume", outcome.unit));
  if (progress.interrupted) {
    print_error("starpath: interrupted; finished {}s are kept, continue with --resume\n", outcome.unit);
    return kExitInterrupted;
  }
  if (progress.tiles_failed > 0)
    print_error("starpath: {} of {} failed (listed above and in results.sqlite); try them again with --resume\n",
                progress.tiles_failed, plural(progress.tiles_total, outcome.unit));
  const bool complete = progress.tiles_failed == 0 && outcome.failed_exports.empty();
  return complete ? 0 : static_cast<int>(ErrorKind::tiles_failed);
}

}  // namespace

std::vector<std::string> all_warnings(const Outcome& outcome) {
  std::vector<std::string> all = outcome.early_warnings;
  all.insert(all.end(), outcome.warnings.begin(), outcome.warnings.end());
  return all;
}

int tell(const RunArguments& arguments, const Outcome& outcome, AtomicFile* record) {
  if (outcome.record && record != nullptr) {
    RunRecord told = *outcome.record;
    told.found = outcome.found_json;
    record->write(to_json(told).dump() + "\n");
    record->commit();
  }
  if (arguments.json) print_json(outcome);
  if (!arguments.json && !arguments.quiet) print_text(outcome);
  return conclude(outcome);
}

}  // namespace starpath::apps
