// Options, signals, folders and exports of a run.
#include "apps/run/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <ctime>

#include "apps/run/gpu_failure.hpp"
#include "apps/run/gpu_placement.hpp"
#include "apps/run/run_record.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "io/results/result_parts.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> stop_requested{false};
std::atomic<std::time_t> first_request{0};

// A shell or `timeout` may deliver one request twice.
void on_signal(int) {
  const std::time_t now = std::time(nullptr);
  if (!stop_requested.exchange(true)) first_request = now;
  if (now - first_request > 1) std::_Exit(130);
}

}  // namespace

void add_run_options(CLI::App& command, RunArguments& arguments, const std::string& what,
                     const std::vector<std::string>& exports) {
  command
      .add_option("INPUT", arguments.input,
                  "A slide (any OpenSlide format), a TIFF, PNG or JPEG image, a folder of tiles, or "
                  "synthetic:WxH[,seed=N][,density=D][,pattern=stroma]")
      ->required();
  command.add_option("--out", arguments.out, "Folder for results.sqlite and the exports; made if missing")->required();
  command.add_option("--policy", arguments.session.policy,
                     "Scheduling policy (see `starpath policies`); default: STARPU_SCHED, else pats");
  command.add_option("--cpus", arguments.session.cpus, "CPU workers; default: one a core")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--gpus", arguments.session.gpus, "CUDA devices to use; default: all")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--roi", arguments.roi, fmt::format("Only {} in x,y,width,height (level-0 pixels)", what))
      ->delimiter(',')
      ->expected(4);
  arguments.exports = exports;
  std::vector<std::string> allowed = exports;
  allowed.push_back("none");
  command.add_option("--export", arguments.exports, fmt::format("Any of {}, or none", fmt::join(exports, ",")))
      ->delimiter(',')
      ->check(CLI::IsMember(allowed))
      ->capture_default_str();
  CLI::Option* resume =
      command.add_flag("--resume", arguments.resume, "Continue the results in --out, if there are any");
  command.add_flag("--overwrite", arguments.overwrite, "Replace the results in --out")->excludes(resume);
  command.add_flag("--json", arguments.json, "Progress and summary as JSON lines on stdout");
  command.add_flag("--quiet", arguments.quiet, "Say nothing but errors");
  command.add_option("--record", arguments.record,
                     "Also write as JSON which worker ran which task when (docs/compare.md)");
  command
      .add_option("--patience", arguments.patience,
                  "Under mpirun: seconds after which a rank that is not heard of is lost and the job ends")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
}

const std::atomic<bool>& catch_stop_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return stop_requested;
}

Rect working_roi(const std::vector<std::int64_t>& roi, double scale) {
  if (roi.empty()) return {};
  if (roi[0] < 0 || roi[1] < 0 || roi[2] <= 0 || roi[3] <= 0)
    throw Error(ErrorKind::usage,
                "--roi takes x,y,width,height in level-0 pixels: x and y not negative, width and height positive");
  const auto down = [&](std::int64_t value) { return static_cast<std::int64_t>(static_cast<double>(value) / scale); };
  const std::int64_t x = down(roi[0]), y = down(roi[1]);
  return {x, y, down(roi[0] + roi[2] - 1) + 1 - x, down(roi[1] + roi[3] - 1) + 1 - y};
}

fs::path results_file(const RunArguments& arguments) { return fs::path(arguments.out) / "results.sqlite"; }

std::unique_ptr<io::OutputLock> lock_output(const RunArguments& arguments) {
  std::error_code error;
  fs::create_directories(arguments.out, error);
  if (error)
    throw Error(ErrorKind::output,
                fmt::format("cannot create the output folder {}: {}", arguments.out, error.message()));
  return std::make_unique<io::OutputLock>(arguments.out);
}

bool prepare_results(const RunArguments& arguments, const std::function<void(const fs::path&)>& create,
                     const std::function<void(const fs::path&, const fs::path&)>& merge) {
  const fs::path file = results_file(arguments);
  std::error_code error;
  const std::vector<fs::path> parts = io::part_files(file);
  bool exists = fs::exists(file, error);
  if ((exists || !parts.empty()) && !arguments.overwrite && !arguments.resume)
    throw Error(ErrorKind::output,
                fmt::format("{} holds results already: continue them with --resume, replace them with "
                            "--overwrite, or choose another --out",
                            file.string()));
  if (!exists || !arguments.resume) {
    io::remove_results_file(file);
    exists = false;
  }
  for (const fs::path& part : parts) {
    if (arguments.resume) {
      if (!exists) create(file);
      exists = true;
      merge(file, part);
    }
    io::remove_results_file(part);
  }
  return exists;
}

void with_resume_hint(ProgressReport& report, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    report.close();
    if (error.kind() != ErrorKind::output) throw;
    throw Error(error.kind(), fmt::format("{}; then continue with --resume", error.what()));
  }
}

void compute(const RunArguments& arguments, Outcome& outcome, const std::function<void()>& work) {
  if (arguments.session.gpus != 0) apply_gpu_placement();
  const StarpuSession session(arguments.session);
  // Without a CUDA worker, CUDA says so at any abort(): that is no reason.
  if (session.cuda_workers() > 0) explain_gpu_failures(codelets::gpu_error);
  outcome.policy = session.policy();
  outcome.cpu_workers = session.cpu_workers();
  outcome.cuda_workers = session.cuda_workers();
  work();
  if (!arguments.record.empty() && !outcome.progress.interrupted) outcome.record = record_of(arguments.log);
}

void write_export(const RunArguments& arguments, const char* what, const char* name, ProgressReport& report,
                  Outcome& outcome, const std::function<void(const fs::path&)>& exporter) {
  if (std::find(arguments.exports.begin(), arguments.exports.end(), what) == arguments.exports.end()) return;
  const fs::path file = fs::path(arguments.out) / name;
  report.phase(fmt::format("writing {}", file.string()));
  try {
    exporter(file);
    outcome.files.push_back(file);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    fmt::print(stderr, "starpath: {} not written: {}\n", file.string(), error.what());
    outcome.failed_exports.push_back(file);
  }
}

int tell(const RunArguments& arguments, const Outcome& outcome) {
  if (outcome.record) {
    RunRecord record = *outcome.record;
    record.found = outcome.found_json;
    AtomicFile file(arguments.record);
    file.write(to_json(record).dump() + "\n");
    file.commit();
  }
  if (arguments.json) print_json(outcome);
  if (!arguments.json && !arguments.quiet) print_text(outcome);
  return conclude(outcome);
}

}  // namespace starpath::apps
