// Simulated runs as child processes: SimGrid simulates one run a process, and a process that dies spoils only its own.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// A policy of ours or of StarPU's, and the estimator that it would have in practice.
struct LabPolicy {
  std::string name;
  bool ours = false;
  std::string practice;  ///< "knn" or "history"; empty: it asks for no estimates
};

/// Every policy that the lab compares.
const std::vector<LabPolicy>& lab_policies();

/// The policy of this name; `heft` is StarPU's dmda. Throws Error (usage).
LabPolicy find_policy(const std::string& name);

/// What a run is of: everything but policy, estimator and environment, which its tasks and bound do not depend on.
struct Experiment {
  std::filesystem::path machine_file, workload_file;
  std::vector<std::string> set;   ///< NAME=VALUE, parameters of the workload
  std::vector<unsigned> workers;  ///< by class; empty: the machine's
  std::uint64_t seed = 1;
};

LabMachine machine_of(const Experiment& experiment);
WorkloadModel workload_of(const Experiment& experiment);
/// The makespan bound of the experiment's tasks.
double bound_of(const Experiment& experiment);
/// What the list schedule that knows all true times takes for them.
double list_schedule_of(const Experiment& experiment);

struct Run {
  Experiment experiment;
  std::string policy;
  std::string estimator = "exact";
  std::map<std::string, std::string> environment;  ///< options of the policies: STARPATH_...
  bool every_task = false;                         ///< the result then has the schedule
  bool synchronous = false;                        ///< codelets wait for their device
};

/// What a run printed, or why it failed (simulation_output() says when it has).
struct RunResult {
  bool ok = false;
  std::string failure;
  nlohmann::json output;
  double makespan() const { return output["makespan"]; }
};

/// What holds for all runs of a command.
struct RunOptions {
  unsigned jobs = 2;  ///< at a time
  /// Seconds after which a run is killed and has failed: a simulation may stand still, or run on while no simulated
  /// time passes. A few are usual; a machine that others keep busy may take many times as long.
  double timeout = 300;
};

/// Runs all, each with a StarPU home of its own. Results are in the order of `runs`. `on_done` hears
/// of each that ended, from any thread, one at a time.
std::vector<RunResult> run_all(const std::vector<Run>& runs, const RunOptions& options,
                               const std::function<void(std::size_t, const RunResult&)>& on_done = {});

/// Share of the class's workers' time in which none of its tasks ran.
double idle_share(const RunResult& result, std::size_t device_class);

}  // namespace starpath::lab
