// Choosing a policy, starting and stopping StarPU.
#include "pipelines/run/starpu_session.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <starpu.h>
#include <starpu_scheduler.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/allowed_cores.hpp"
#include "base/error.hpp"
#include "base/foreign_library.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/run/starpu_guard.hpp"

namespace starpath {
namespace {

constexpr const char* kPluginFile = "libstarpath_sched.so";
constexpr std::string_view kTestPolicy = "graph_test";  // starts no task before a call that StarPU's own test makes

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The plug-in in the build tree or in an installed tree; empty when it is in neither.
std::string installed_plugin() {
  return library_of_program(kPluginFile, {"../sched_policies", STARPATH_PLUGIN_FROM_PROGRAM});
}

void append_plugin_policies(const std::string& plugin, std::vector<PolicyName>& policies) {
  void* library = dlopen(plugin.c_str(), RTLD_NOW);
  if (library == nullptr) throw Error(ErrorKind::runtime, fmt::format("cannot load the policy plug-in: {}", dlerror()));
  using List = starpu_sched_policy** (*)();
  const auto list = reinterpret_cast<List>(dlsym(library, "starpu_get_sched_lib_policies"));
  if (list == nullptr)
    throw Error(ErrorKind::runtime,
                fmt::format("{} is no StarPU policy plug-in: it has no starpu_get_sched_lib_policies; "
                            "check STARPU_SCHED_LIB",
                            plugin));
  for (starpu_sched_policy** policy = list(); *policy != nullptr; ++policy)
    policies.push_back({(*policy)->policy_name, (*policy)->policy_description, true});
}

void check_policy(const std::string& policy) {
  const std::vector<PolicyName> known = available_policies();
  const auto named = [&](const PolicyName& candidate) { return candidate.name == policy; };
  if (policy == "heft" || std::any_of(known.begin(), known.end(), named)) return;
  std::string ours, builtin;
  for (const PolicyName& candidate : known) (candidate.ours ? ours : builtin) += " " + candidate.name;
  if (ours.empty())
    ours = fmt::format(" missing, as {} is not beside this command (name it with STARPU_SCHED_LIB)", kPluginFile);
  throw Error(ErrorKind::usage, fmt::format("unknown policy '{}': ours are{}; StarPU has{}", policy, ours, builtin));
}

/// Where nothing else says how many CPU workers to start, a quota on processor time does. Its workers are bound to no
/// core: several containers on a machine would bind theirs to the same ones.
void heed_quota(starpu_conf& conf) {
  const int quota = quota_cores();
  if (conf.ncpus >= 0 || quota >= bound_cores()) return;
  conf.ncpus = quota;
  for (const char* name : {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_WORKERS_GETBIND"})
    if (std::getenv(name) != nullptr) return;
  setenv("STARPU_WORKERS_NOBIND", "1", 0);
}

int start_guarded(const SessionOptions& options) {
  const StarpuGuard guard("does not start");
  starpu_conf conf;
  starpu_conf_init(&conf);  // reads variables, too
  if (options.cpus >= 0) conf.ncpus = options.cpus;
  heed_quota(conf);
  conf.nhip = 0;  // no codelet is for them, and each would keep a core busy; nor is one for OpenCL but in tests:
  if (!codelets::kGpuIsOpenCl) conf.nopencl = 0;
  if (options.gpus >= 0) (codelets::kGpuIsOpenCl ? conf.nopencl : conf.ncuda) = options.gpus;
  conf.catch_signals = 0;
  return starpu_init(&conf);
}

/// Whether StarPU pins memory, and does not tell NUMA nodes apart.
bool pins_memory() {
  return starpu_cuda_worker_get_count() > 0 && starpu_memory_nodes_get_numa_count() == 1 &&
         starpu_getenv_number("STARPU_DISABLE_PINNING") <= 0;
}

}  // namespace

std::string plugin_path() {
  const std::string given = environment("STARPU_SCHED_LIB");
  return given.empty() ? installed_plugin() : given;
}

std::vector<PolicyName> available_policies() {
  std::vector<PolicyName> policies;
  if (const std::string plugin = plugin_path(); !plugin.empty()) append_plugin_policies(plugin, policies);
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies(); *policy != nullptr; ++policy)
    if ((*policy)->policy_name != kTestPolicy)
      policies.push_back({(*policy)->policy_name, (*policy)->policy_description, false});
  return policies;
}

std::string policy_plugin() {
  std::string plugin = installed_plugin();
  if (plugin.empty())
    throw Error(ErrorKind::runtime,
                fmt::format("{} is not where this command was built or installed to have it (../{}): install again",
                            kPluginFile, STARPATH_PLUGIN_FROM_PROGRAM + 3));
  return plugin;
}

int most_cpu_workers() { return STARPU_MAXCPUS; }

std::string choose_policy(const SessionOptions& options) {
  std::string policy = options.policy;
  if (policy.empty()) policy = environment("STARPU_SCHED");
  if (policy.empty()) policy = "apex";
  check_policy(policy);
  return policy;
}

StarpuSession::StarpuSession(const SessionOptions& options) : policy_(choose_policy(options)) {
  check_starpu_environment();
  setenv("STARPU_SCHED", policy_.c_str(), 1);
  if (const std::string plugin = plugin_path(); !plugin.empty()) setenv("STARPU_SCHED_LIB", plugin.c_str(), 1);
  setenv("STARPU_SILENT", "1", 0);
#ifndef STARPU_USE_OPENCL
  setenv("HWLOC_COMPONENTS", "-opencl", 0);  // as in sched_policies/topology/machine_layout.cpp
#endif
  setenv("STARPATH_ESTIMATOR", "knn", 0);  // by samples alone under each of our policies, apex too
  if (start_guarded(options) != 0)
    throw Error(ErrorKind::runtime,
                "StarPU found no worker to start: allow at least one with --cpus, --gpus or STARPU_NCPU");
  if (const int started = gpu_workers(); started < options.gpus) {
    starpu_shutdown();
    throw Error(
        ErrorKind::runtime,
        fmt::format("--gpus {}: only {} could be started{}; ask for fewer, or leave --gpus out to use what there is",
                    options.gpus, started, codelets::kCudaCompiled ? "" : ", as this starpath was built without CUDA"));
  }
  if (pins_memory()) huge_pages_.emplace();
}

StarpuSession::~StarpuSession() {
  starpu_task_wait_for_all();
  codelets::release_gpu_workers();
  const StarpuGuard guard("does not stop");
  starpu_shutdown();
}

int StarpuSession::cpu_workers() const { return static_cast<int>(starpu_cpu_worker_get_count()); }
int StarpuSession::gpu_workers() const { return static_cast<int>(codelets::gpu_worker_count()); }

}  // namespace starpath
