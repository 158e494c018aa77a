// StarPU from start to stop, under a policy chosen by name.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "pipelines/run/huge_pages.hpp"
#include "pipelines/run/starpu_home.hpp"

namespace starpath {

struct PolicyName {
  std::string name;
  std::string description;
  bool ours;  // from the plug-in rather than built into StarPU
};

/// The policy plug-in: the file in STARPU_SCHED_LIB, else Starpath's (found beside the running program); "" without
/// any.
std::string plugin_path();

/// Every policy that can be chosen: those of plugin_path(), then StarPU's that run any application. StarPU need not be
/// running. Throws Error{runtime} when a plug-in cannot be loaded.
std::vector<PolicyName> available_policies();

/// Absolute path of Starpath's plug-in, found beside the running program in the build tree or an installed tree. Throws
/// Error{runtime} when it is in neither.
std::string policy_plugin();

/// How many CPU workers this StarPU was built for. It would start that many where more are asked for, and not say it.
int most_cpu_workers();

struct SessionOptions {
  std::string policy;  // empty: STARPU_SCHED, else "apex"
  int cpus = -1;       // workers; -1 for all that StarPU finds (or STARPU_NCPU)
  int gpus = -1;
};

/// The policy that `options` stand for. Throws Error{usage} naming the known ones when there is none of that name.
std::string choose_policy(const SessionOptions& options);

/// Starts StarPU in its constructor and stops it in its destructor. One at a time in a process.
class StarpuSession {
 public:
  /// Throws as choose_policy and check_starpu_environment do, and Error{runtime} when StarPU finds no worker, or fewer
  /// GPUs than asked for.
  explicit StarpuSession(const SessionOptions& options);
  ~StarpuSession();
  StarpuSession(const StarpuSession&) = delete;
  StarpuSession& operator=(const StarpuSession&) = delete;

  const std::string& policy() const { return policy_; }
  int cpu_workers() const;
  int gpu_workers() const;

 private:
  std::string policy_;
  StarpuHome home_;
  std::optional<HugePages> huge_pages_;  // where memory is pinned; outlives StarPU
};

}  // namespace starpath
