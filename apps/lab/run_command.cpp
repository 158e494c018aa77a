// `starpath-lab --machine M --workload W --policy P...`: one workload under several policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "base/error.hpp"
#include "lab/estimates.hpp"
#include "lab/experiments/model_files.hpp"
#include "lab/experiments/runs.hpp"

namespace starpath::apps {
namespace {

struct Arguments {
  std::string machine, workload;
  std::vector<std::string> policies, estimators, set, environment;
  std::vector<unsigned> workers;
  std::uint64_t seed = 1;
  lab::RunOptions runs;
  bool json = false, schedule = false, synchronous = false;
};

/// The estimators a policy is shown under: those asked for, else the one it would have and exact times.
std::vector<std::string> estimators_of(const lab::LabPolicy& policy, const std::vector<std::string>& asked) {
  if (policy.practice.empty()) return {"exact"};
  if (!asked.empty()) return asked;
  return {policy.practice, "exact"};
}

std::vector<lab::Run> plan(const Arguments& arguments) {
  lab::Experiment experiment{lab::machine_file(arguments.machine), lab::workload_file(arguments.workload),
                             arguments.set, arguments.workers, arguments.seed};
  for (const std::string& estimator : arguments.estimators) lab::parse_estimator(estimator);
  std::map<std::string, std::string> environment;
  for (const std::string& entry : arguments.environment) {
    const auto equals = entry.find('=');
    if (equals == std::string::npos || !entry.starts_with("STARP"))
      throw Error(ErrorKind::usage, fmt::format("--env {}: expected STARPATH_NAME=VALUE", entry));
    environment[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  std::vector<lab::Run> runs;
  for (const std::string& name : arguments.policies) {
    const lab::LabPolicy policy = lab::find_policy(name);
    for (const std::string& estimator : estimators_of(policy, arguments.estimators))
      runs.push_back({experiment, policy.name, estimator, environment, arguments.schedule, arguments.synchronous});
  }
  return runs;
}

void print_table(const std::vector<lab::Run>& runs, const std::vector<lab::RunResult>& results, double bound,
                 double list_schedule) {
  print_out("{:<14} {:<12} {:>11} {:>8} {:>10}  idle share\n", "policy", "estimates", "makespan s", "/bound",
            "moved GB");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string estimator = lab::find_policy(runs[i].policy).practice.empty() ? "none" : runs[i].estimator;
    print_out("{:<14} {:<12} ", runs[i].policy, estimator);
    if (!results[i].ok) {
      print_out("FAILED: {}\n", results[i].failure);
      continue;
    }
    const nlohmann::json& output = results[i].output;
    print_out("{:>11.4f} {:>8.3f} {:>10.2f} ", results[i].makespan(), results[i].makespan() / bound,
              output["moved_bytes"].get<double>() * 1e-9);
    for (std::size_t c = 0; c < output["classes"].size(); ++c)
      print_out(" {} {:.1f} %", output["classes"][c].get<std::string>(), 100 * idle_share(results[i], c));
    print_out("\n");
  }
  print_out("bound {:.4f} s, list schedule {:.4f} s\n", bound, list_schedule);
}

nlohmann::json to_json(const std::vector<lab::Run>& runs, const std::vector<lab::RunResult>& results, double bound,
                       double list_schedule) {
  nlohmann::json out = {{"bound", bound}, {"list_schedule", list_schedule}, {"runs", nlohmann::json::array()}};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    nlohmann::json entry = {{"policy", runs[i].policy}, {"estimator", runs[i].estimator}, {"ok", results[i].ok}};
    if (results[i].ok)
      entry.update(results[i].output);
    else
      entry["failure"] = results[i].failure;
    out["runs"].push_back(entry);
  }
  return out;
}

int run(const Arguments& arguments) {
  const std::vector<lab::Run> runs = plan(arguments);
  const double bound = lab::bound_of(runs.front().experiment);
  const double list_schedule = lab::list_schedule_of(runs.front().experiment);
  const std::vector<lab::RunResult> results = lab::run_all(runs, arguments.runs);
  if (arguments.json)
    write_json(to_json(runs, results, bound, list_schedule));
  else
    print_table(runs, results, bound, list_schedule);
  for (const lab::RunResult& result : results)
    if (!result.ok) return 1;
  return 0;
}

}  // namespace

void add_run_options(CLI::App& command, lab::RunOptions& options) {
  command.add_option("--jobs", options.jobs, "Runs at a time")->check(number_between(1, 256))->capture_default_str();
  command.add_option("--timeout", options.timeout, "Seconds after which a run is killed and counts as failed")
      ->check(number_between(0.001, 1e6))
      ->capture_default_str();
}

void add_lab_run(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("--machine", arguments->machine, "Machine: a name or a file");
  app.add_option("--workload", arguments->workload, "Workload: a name or a file");
  app.add_option("--policy", arguments->policies, "Policy; repeat for several, or separate by commas")->delimiter(',');
  app.add_option("--estimator", arguments->estimators,
                 "exact, knn, history, error:PERCENT, sigma:NUMBER or confound:PERCENT; default: what each policy "
                 "would have in "
                 "practice, and exact")
      ->delimiter(',');
  app.add_option("--set", arguments->set, "NAME=NUMBER: a parameter of the workload, such as tiles=100");
  app.add_option("--env", arguments->environment, "STARPATH_NAME=VALUE: an option of the policies");
  app.add_option("--workers", arguments->workers, "Workers by class instead of the machine's, such as 1,0")
      ->delimiter(',');
  app.add_option("--seed", arguments->seed, "Of the data")->capture_default_str();
  add_run_options(app, arguments->runs);
  app.add_flag("--synchronous", arguments->synchronous,
               "Codelets wait for their device, which leaves no copies overlapped unless the policy prefetches");
  app.add_flag("--json", arguments->json, "Print JSON");
  app.add_flag("--schedule", arguments->schedule, "Add every task to the JSON: [kind, worker, start, end]");
  app.callback([&app, arguments] {
    if (!app.get_subcommands().empty()) return;
    if (arguments->machine.empty() || arguments->workload.empty() || arguments->policies.empty())
      throw Error(ErrorKind::usage, "--machine, --workload and --policy are needed; see --help");
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

void add_lab_models(CLI::App& app) {
  CLI::App* command = app.add_subcommand("models", "List the machines and workloads");
  command->callback([] {
    print_out("machines:\n");
    for (const std::string& name : lab::model_names(lab::model_folder(), "machine")) {
      const lab::LabMachine machine = lab::read_machine(lab::ModelFile(lab::machine_file(name)));
      print_out("  {:<18} {} ({} workers: {})\n", name, machine.about, machine.cores,
                fmt::join(machine.workers(), "+"));
    }
    print_out("workloads:\n");
    for (const std::string& name : lab::model_names(lab::model_folder(), "workload"))
      print_out("  {:<18} {}\n", name, lab::read_workload(lab::ModelFile(lab::workload_file(name))).about);
  });
}

}  // namespace starpath::apps
