// Summary of a run, for people and for machines.
#include "apps/run/run_summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "base/words.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "runs/files_at_work.hpp"

namespace starpath::apps {
namespace {

/// "cpu (2 workers) 100.0 % of tasks, 100.0 % of time".
std::string shares_text(const RunWork& work) {
  double seconds = 0;
  std::int64_t tasks = 0;
  std::map<std::string, StageShare> kinds;
  for (const auto& [kind, stages] : work.progress.shares)
    for (const auto& [stage, share] : stages) {
      kinds[kind].tasks += share.tasks;
      kinds[kind].seconds += share.seconds;
      tasks += share.tasks;
      seconds += share.seconds;
    }
  std::string text;
  for (const auto& [kind, share] : kinds)
    text += fmt::format("{}{} ({}) {:.1f} % of tasks, {:.1f} % of time", text.empty() ? "" : "; ", kind,
                        plural(kind == "cpu" ? work.session.cpu_workers : work.session.gpu_workers, "worker"),
                        100.0 * static_cast<double>(share.tasks) / static_cast<double>(tasks),
                        seconds > 0 ? 100.0 * share.seconds / seconds : 0.0);
  return text.empty() ? "nothing left to run" : text;
}

/// "; between ranks 12 KiB of control and 3,401 KiB of buffers".
std::string traffic_text(const std::optional<RankTraffic>& traffic) {
  if (!traffic) return "";
  const auto& [control, buffers] = *traffic;
  return fmt::format("; between ranks {} KiB of control and {} KiB of buffers", grouped((control.bytes + 1023) / 1024),
                     grouped((buffers.bytes + 1023) / 1024));
}

/// Most memory this process has held, in MiB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Of the resolution, which is told before the work, and those of the conclusion.
std::vector<std::string> all_warnings(const Conclusion& conclusion) {
  std::vector<std::string> all;
  if (conclusion.resolution)
    if (const std::string warning = io::resolution_warning(*conclusion.resolution); !warning.empty())
      all.push_back(warning);
  all.insert(all.end(), conclusion.warnings.begin(), conclusion.warnings.end());
  return all;
}

std::vector<std::filesystem::path> files_of(const Conclusion& conclusion) {
  std::vector<std::filesystem::path> files = {conclusion.database};
  files.insert(files.end(), conclusion.exports.written.begin(), conclusion.exports.written.end());
  return files;
}

void print_json(const RunResult& result) {
  const auto& [unit, work, conclusion] = result;
  const Progress& progress = work.progress;
  nlohmann::json files = nlohmann::json::array();
  for (const std::filesystem::path& file : files_of(conclusion)) files.push_back(file.string());
  nlohmann::json line = {
      {"event", "summary"},
      {"policy", work.session.policy},
      {"tiles", progress.tiles_total},
      {"tiles_resumed", progress.tiles_resumed},
      {"tiles_background", progress.tiles_skipped},
      {"tiles_failed", progress.tiles_failed},
      {"seconds", progress.seconds},
      {"interrupted", interrupted(work, conclusion.exports)},
      {"peak_memory_mib", peak_memory()},
      {"workers", {{"cpu", work.session.cpu_workers}, {codelets::kGpuKind, work.session.gpu_workers}}},
      {"shares", shares_json(progress.shares)},
      {"files", files},
      {"warnings", all_warnings(conclusion)}};
  if (work.traffic) {
    const auto& [control, buffers] = *work.traffic;
    line["traffic"] = {{"control_messages", control.messages},
                       {"control_bytes", control.bytes},
                       {"buffers", buffers.messages},
                       {"buffer_bytes", buffers.bytes}};
  }
  line.update(counted(conclusion));
  line.update(conclusion.about);
  write_json(line);
}

void print_text(const RunResult& result) {
  const auto& [unit, work, conclusion] = result;
  const Progress& progress = work.progress;
  for (const std::filesystem::path& file : files_of(conclusion)) print_out("{}\n", file.string());
  for (const std::string& line : conclusion.lines) print_out("{}\n", line);
  const auto worked = static_cast<double>(progress.tiles_done - progress.tiles_resumed);
  const std::string done = interrupted(work, conclusion.exports) ? grouped(progress.tiles_done) + " of " : "";
  print_out("{}{} ({} glass, {} failed, {} from before), {}{}{:.2f} s, {:.2f} {}s/s under {}; {}{}\n", done,
            plural(progress.tiles_total, unit), progress.tiles_skipped, progress.tiles_failed, progress.tiles_resumed,
            conclusion.found.empty() ? "" : conclusion.found + ", ",
            conclusion.resolution ? text_of(*conclusion.resolution) + ", " : "", progress.seconds,
            progress.seconds > 0 ? worked / progress.seconds : 0.0, unit, work.session.policy, shares_text(work),
            traffic_text(work.traffic));
}

/// Says on stderr what is not complete. Returns the exit code.
int tell_what_is_missing(const RunResult& result) {
  const auto& [unit, work, conclusion] = result;
  const Progress& progress = work.progress;
  for (const std::string& warning : conclusion.warnings) print_error("starpath: warning: {}\n", warning);
  if (!conclusion.exports.stopped.empty())
    return tell_stopped(conclusion.exports.stopped, fmt::format("all {}s are kept, continue with --resume", unit));
  if (progress.interrupted) {
    print_error("starpath: interrupted; finished {}s are kept, continue with --resume\n", unit);
    return kExitInterrupted;
  }
  if (progress.tiles_failed > 0)
    print_error("starpath: {} of {} failed (listed above and in results.sqlite); try them again with --resume\n",
                progress.tiles_failed, plural(progress.tiles_total, unit));
  const std::optional<Shortfall>& shortfall = conclusion.shortfall;
  if (shortfall && !shortfall->words.empty()) print_error("starpath: {}\n", shortfall->words);
  if (progress.tiles_failed > 0 || !conclusion.exports.failed.empty()) return static_cast<int>(ErrorKind::tiles_failed);
  return shortfall ? static_cast<int>(shortfall->kind) : 0;
}

}  // namespace

int tell_stopped(const std::vector<std::filesystem::path>& files, const std::string& remedy) {
  print_error("starpath: interrupted; not written: {}; {}\n", file_list(files), remedy);
  return kExitInterrupted;
}

int run_and_tell(const RunRequest& request, RunSteps& steps) {
  ProgressReport report(choose_style(request.json, request.quiet), steps.found(), steps.unit());
  return run_and_tell(request, steps, report);
}

int run_and_tell(const RunRequest& request, RunSteps& steps, ProgressReport& report) {
  const auto result = run_pipeline(request, steps, report);
  if (!result) return 0;
  if (request.json) print_json(*result);
  if (!request.json && !request.quiet) print_text(*result);
  return tell_what_is_missing(*result);
}

}  // namespace starpath::apps
