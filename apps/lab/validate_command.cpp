// `starpath-lab validate`: how well the estimator predicts a workload's tasks that it has not seen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "apps/lab/model_options.hpp"
#include "apps/lab/runs.hpp"
#include "base/error.hpp"
#include "estimator/validation.hpp"
#include "lab/estimates.hpp"

namespace starpath::apps {
namespace {

struct Arguments {
  std::string machine, workload;
  std::vector<std::string> set;
  std::vector<std::uint64_t> seeds = {1, 2, 3};
  std::size_t jobs = 30;
  bool json = false;
};

/// Mean relative errors of one codelet, in percent, over the seeds.
struct CodeletErrors {
  std::string codelet;
  double speedup = 0, core_time = 0;
  unsigned runs = 0;
};

/// The samples that a profiling run of the first `jobs` tasks of a codelet gives.
std::vector<Sample> profile(const lab::Workload& workload, unsigned codelet, std::size_t jobs) {
  std::vector<Sample> samples;
  for (const lab::WorkTask& task : workload.tasks) {
    if (task.codelet != codelet || jobs == 0) continue;
    --jobs;
    for (unsigned c = 0; c < task.seconds.size(); ++c)
      if (std::isfinite(task.seconds[c])) samples.push_back({lab::features_of(task), c, task.seconds[c]});
  }
  return samples;
}

void validate(const Arguments& arguments, std::uint64_t seed, std::vector<CodeletErrors>& all) {
  const Experiment experiment{
      machine_file(arguments.machine), workload_file(arguments.workload), arguments.set, {}, seed};
  const lab::Workload workload = lab::make_workload(workload_of(experiment), machine_of(experiment), seed);
  for (unsigned codelet = 0; codelet < workload.codelets.size(); ++codelet) {
    const std::vector<Sample> samples = profile(workload, codelet, arguments.jobs);
    std::vector<Sample> cores;
    std::ranges::copy_if(samples, std::back_inserter(cores),
                         [](const Sample& sample) { return sample.device_class == 0; });
    const ValidationSettings settings{.folds = 10, .k = 2, .baseline = 0, .seed = seed};
    const auto speedup = cross_validate(samples, settings).speedup;
    const auto time = cross_validate(cores, settings).time;
    if (!speedup || !time) continue;  // runs on cores only, or once
    auto errors = std::ranges::find(all, workload.codelets[codelet], &CodeletErrors::codelet);
    if (errors == all.end()) errors = all.insert(all.end(), {.codelet = workload.codelets[codelet]});
    errors->speedup += 100 * *speedup;
    errors->core_time += 100 * *time;
    ++errors->runs;
  }
}

void run(const Arguments& arguments) {
  std::vector<CodeletErrors> all;
  for (const std::uint64_t seed : arguments.seeds) validate(arguments, seed, all);
  if (all.empty())
    throw Error(ErrorKind::usage, fmt::format("workload {} has no codelet that runs on cores and on accelerators of {}",
                                              arguments.workload, arguments.machine));
  nlohmann::json out = nlohmann::json::array();
  if (!arguments.json) print_out("{:<24} {:>16} {:>16}\n", "codelet", "speedup error, %", "core time error, %");
  for (const CodeletErrors& errors : all) {
    const double speedup = errors.speedup / errors.runs, time = errors.core_time / errors.runs;
    out.push_back({{"codelet", errors.codelet}, {"speedup", speedup}, {"core_time", time}});
    if (!arguments.json) print_out("{:<24} {:>16.2f} {:>18.2f}\n", errors.codelet, speedup, time);
  }
  if (arguments.json) write_json(nlohmann::json({{"jobs", arguments.jobs}, {"codelets", out}}));
}

}  // namespace

void add_lab_validate(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "validate", "Cross-validate the estimator on a workload's first tasks, as Table 1 of anthill-2010 does");
  command->add_option("--machine", arguments->machine, "Machine: a name or a file")->required();
  command->add_option("--workload", arguments->workload, "Workload: a name or a file")->required();
  command->add_option("--set", arguments->set, "NAME=NUMBER: a parameter of the workload");
  command->add_option("--jobs", arguments->jobs, "Tasks of each codelet")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  command->add_option("--seeds", arguments->seeds, "Seeds of the data; errors are means over them")
      ->delimiter(',')
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer("Ten-fold, two nearest neighbours; relative errors against the true times. Nothing is simulated.");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
