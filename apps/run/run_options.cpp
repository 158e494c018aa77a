// Options of a run.
#include "apps/run/run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/number_range.hpp"
#include "apps/run/slide_decoder.hpp"
#include "mpi/protocol/stream.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace starpath::apps {
namespace {

void add_output(CLI::App& command, RunRequest& request) {
  command.add_option("--out", request.out, "Folder for results.sqlite and the exports; made if missing")->required();
}

void add_exports(CLI::App& command, RunRequest& request, const ExportNames& exports) {
  request.exports = exports.unless_said;
  std::vector<std::string> allowed = exports.all;
  allowed.push_back("none");
  command.add_option("--export", request.exports, fmt::format("Any of {}, or none", fmt::join(exports.all, ",")))
      ->delimiter(',')
      ->check(CLI::IsMember(allowed))
      ->capture_default_str();
}

void add_results_in_the_way(CLI::App& command, RunRequest& request) {
  CLI::Option* resume = command.add_flag("--resume", request.resume, "Continue the results in --out, if there are any");
  command
      .add_flag("--overwrite", request.overwrite, "Replace the results in --out, and remove the exports made from them")
      ->excludes(resume);
}

void add_reports(CLI::App& command, RunRequest& request) {
  add_progress(command, request);
  command.add_option("--record", request.record,
                     "Also write as JSON which worker ran which task when (docs/compare.md)");
}

}  // namespace

void add_input(CLI::App& command, RunRequest& request) {
  command
      .add_option("INPUT", request.input,
                  "A slide (any OpenSlide format), a TIFF, PNG or JPEG image, a folder of tiles, or "
                  "synthetic:WxH[,seed=N][,density=D][,pattern=stroma]")
      ->required();
}

CLI::Option* add_stream_options(CLI::App& command, StreamsAsked& streams, const std::string& units) {
  std::vector<std::string> names;
  for (const mpi::StreamPolicy& policy : mpi::kStreamPolicies) names.emplace_back(policy.name);
  CLI::Option* option =
      command
          .add_option("--streams", streams.policy,
                      fmt::format("Under mpirun: send pixels from ranks that read to workers that ask, by this policy, "
                                  "instead of handing out {} (docs/ranks.md)",
                                  units))
          ->check(CLI::IsMember(names));
  command.add_option("--readers", streams.readers, "With --streams: how many ranks read; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->needs(option)
      ->capture_default_str();
  return option;
}

void add_progress(CLI::App& command, RunRequest& request) {
  command.add_flag("--json", request.json, "Progress and summary as JSON lines on stdout");
  command.add_flag("--quiet", request.quiet, "Say nothing but errors");
}

void add_scheduling(CLI::App& command, RunRequest& request) {
  command.add_option("--policy", request.session.policy,
                     "Scheduling policy (see `starpath policies`); default: STARPU_SCHED, else apex");
  command.add_option("--cpus", request.session.cpus, "CPU workers; default: one a core")
      ->check(number_between(0, most_cpu_workers()));
  command.add_option("--gpus", request.session.gpus, "CUDA devices to use; default: all")
      ->check(CLI::NonNegativeNumber);
}

void add_patience(CLI::App& command, RunRequest& request) {
  command
      .add_option("--patience", request.patience,
                  "Under mpirun: seconds after which a rank that is not heard of is lost and the job ends")
      ->check(number_between(0.001, 1e7))
      ->capture_default_str();
}

void add_run_options(CLI::App& command, RunRequest& request, const std::string& what, const ExportNames& exports,
                     const std::string& or_file) {
  add_output(command, request);
  add_trusted(command);
  add_scheduling(command, request);
  const bool may_be_file = !or_file.empty();
  command
      .add_option("--roi", request.roi, fmt::format("Only {} in x,y,width,height (level-0 pixels){}", what, or_file))
      ->check([may_be_file](const std::string& text) { return flaw_of_roi(text, may_be_file); });
  if (!exports.all.empty()) add_exports(command, request, exports);
  add_results_in_the_way(command, request);
  add_reports(command, request);
  add_patience(command, request);
}

}  // namespace starpath::apps
