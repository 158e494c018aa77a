// Child processes that simulate.
#include "lab/experiments/runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "lab/bounds/bound.hpp"
#include "lab/experiments/simulation_child.hpp"
#include "lab/list_schedule.hpp"
#include "lab/platform.hpp"
#include "sched_policies/policies/built_in_policies.hpp"
#include "sched_policies/policies/policy_table.hpp"

namespace starpath::lab {
namespace {

namespace fs = std::filesystem;

/// A file of this build, next to the program or where it was built.
fs::path part(const char* name, const char* built) {
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / name;
  return fs::exists(beside) ? beside : fs::path(built);
}

Environment environment_of(const Run& run, const std::string& machine, const fs::path& home) {
  Environment environment = simulation_environment(machine, home);
  environment["STARPU_SCHED"] = run.policy;
  environment["STARPU_SCHED_LIB"] = part("libstarpath_sched.so", STARPATH_PLUGIN).string();
  for (const auto& [name, value] : run.environment) environment[name] = value;
  return environment;
}

std::vector<std::string> command_of(const Run& run) {
  std::vector<std::string> command = {part("starpath-lab-run", STARPATH_LAB_RUN).string(),
                                      "--machine=" + run.experiment.machine_file.string(),
                                      "--workload=" + run.experiment.workload_file.string(),
                                      "--estimator=" + run.estimator, "--seed=" + std::to_string(run.experiment.seed)};
  for (const std::string& entry : run.experiment.set) command.push_back("--set=" + entry);
  if (!run.experiment.workers.empty())
    command.push_back(fmt::format("--workers={}", fmt::join(run.experiment.workers, ",")));
  if (run.every_task) command.push_back("--every-task");
  if (run.synchronous) command.push_back("--synchronous");
  return command;
}

RunResult run_one(const Run& run, std::chrono::milliseconds limit) {
  const TemporaryFolder home;
  const LabMachine machine = machine_of(run.experiment);
  write_platform(machine, home.path(), STARPATH_STARPU_MAXNODES);
  const ChildOutcome outcome = run_child(command_of(run), environment_of(run, machine.name, home.path()), limit);
  return {.ok = true, .failure = "", .output = simulation_output(outcome, run.policy)};
}

}  // namespace

const std::vector<LabPolicy>& lab_policies() {
  static const std::vector<LabPolicy> all = [] {
    std::vector<LabPolicy> policies;
    for (const PolicyInfo& policy : policy_table())
      policies.push_back({std::string(policy.name), true, policy.uses_estimates ? "knn" : ""});
    for (const BuiltInPolicy& policy : kBuiltInPolicies)
      policies.push_back({policy.name, false, policy.uses_history ? "history" : ""});
    return policies;
  }();
  return all;
}

LabPolicy find_policy(const std::string& name) {
  const std::string wanted = todays_name(name);
  const auto found = std::ranges::find(lab_policies(), wanted, &LabPolicy::name);
  if (found != lab_policies().end()) return *found;
  for (const BuiltInPolicy& policy : kFurtherBuiltInPolicies)
    if (policy.name == wanted) return {policy.name, false, "history"};
  std::string names;
  for (const LabPolicy& policy : lab_policies()) names += policy.name + ", ";
  throw Error(ErrorKind::usage,
              fmt::format("there is no policy '{}': there are {}and heft, which is dmda", name, names));
}

LabMachine machine_of(const Experiment& experiment) {
  return with_workers(read_machine(ModelFile(experiment.machine_file)), experiment.workers);
}

WorkloadModel workload_of(const Experiment& experiment) {
  return read_workload(ModelFile(experiment.workload_file), experiment.set);
}

double bound_of(const Experiment& experiment) {
  const LabMachine machine = machine_of(experiment);
  const auto tasks = bound_tasks(make_workload(workload_of(experiment), machine, experiment.seed));
  return makespan_bound(tasks, machine.workers());
}

double list_schedule_of(const Experiment& experiment) {
  const LabMachine machine = machine_of(experiment);
  return list_schedule(make_workload(workload_of(experiment), machine, experiment.seed), machine);
}

std::vector<RunResult> run_all(const std::vector<Run>& runs, const RunOptions& options,
                               const std::function<void(std::size_t, const RunResult&)>& on_done) {
  std::vector<RunResult> results(runs.size());
  const std::chrono::milliseconds limit(static_cast<std::int64_t>(options.timeout * 1000));
  std::atomic<std::size_t> next{0};
  std::mutex one_at_a_time;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        results[i] = run_one(runs[i], limit);
      } catch (const Error& error) {
        results[i].failure = error.what();
      }
      const std::lock_guard lock(one_at_a_time);
      if (on_done) on_done(i, results[i]);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::max(1u, options.jobs); ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return results;
}

double idle_share(const RunResult& result, std::size_t device_class) {
  const double workers = result.output["workers"][device_class], busy = result.output["busy"][device_class];
  return workers == 0 ? 0 : 1 - busy / (workers * result.makespan());
}

}  // namespace starpath::lab
