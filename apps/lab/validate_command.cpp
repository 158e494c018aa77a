// `starpath-lab validate`: how well the estimator predicts a workload's tasks that it has not seen.
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "lab/experiments/validation.hpp"

namespace starpath::apps {
namespace {

struct Arguments {
  lab::ValidationRequest of;
  bool json = false;
};

void run(const Arguments& arguments) {
  nlohmann::json out = nlohmann::json::array();
  const std::vector<lab::EstimateErrors> all = lab::validate_estimates(arguments.of);
  if (!arguments.json) print_out("{:<24} {:>16} {:>16}\n", "codelet", "speedup error, %", "core time error, %");
  for (const auto& [codelet, speedup, time] : all) {
    out.push_back({{"codelet", codelet}, {"speedup", speedup}, {"core_time", time}});
    if (!arguments.json) print_out("{:<24} {:>16.2f} {:>18.2f}\n", codelet, speedup, time);
  }
  if (arguments.json) write_json(nlohmann::json({{"jobs", arguments.of.jobs}, {"codelets", out}}));
}

}  // namespace

void add_lab_validate(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "validate", "Cross-validate the estimator on a workload's first tasks, as Table 1 of anthill-2010 does");
  command->add_option("--machine", arguments->of.machine, "Machine: a name or a file")->required();
  command->add_option("--workload", arguments->of.workload, "Workload: a name or a file")->required();
  command->add_option("--set", arguments->of.set, "NAME=NUMBER: a parameter of the workload");
  command->add_option("--jobs", arguments->of.jobs, "Tasks of each codelet")
      ->check(number_between(2, 1000))
      ->capture_default_str();
  command->add_option("--seeds", arguments->of.seeds, "Seeds of the data; errors are means over them")
      ->delimiter(',')
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer("Ten-fold, two nearest neighbours; relative errors against the true times. Nothing is simulated.");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
