// Platform, host names, environment and command of a run in SMPI.
#include "apps/lab/cluster/smpi_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/lab/telling_line.hpp"
#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "lab/platform.hpp"

namespace starpath::apps {
namespace {

#ifdef STARPATH_LAB_RANK

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::output, fmt::format("cannot write {}", path.string()));
}

/// Returns StarPU's host name of each node: that of its group.
std::vector<std::string> write_files(const lab::ClusterModel& cluster, const fs::path& folder) {
  std::vector<lab::LabMachine> machines;
  for (std::size_t group = 0; group < cluster.groups.size(); ++group) {
    machines.push_back(cluster.machine_of(group));
    machines.back().name = cluster.groups[group].name;
    lab::write_platform(machines.back(), folder, STARPATH_STARPU_MAXNODES);
  }
  std::vector<lab::LabMachine> nodes;
  std::vector<std::string> names;
  std::string hosts;
  for (const unsigned group : cluster.group_of_node()) {
    hosts += fmt::format("node{}\n", nodes.size());
    nodes.push_back(machines[group]);
    names.push_back(machines[group].name);
  }
  write(folder / "hosts", hosts);
  write(folder / "cluster.xml", lab::simgrid_cluster(nodes, cluster.bandwidth, cluster.latency));
  return names;
}

std::vector<std::string> command_of(const SmpiRun& run, const fs::path& folder, std::size_t nodes) {
  std::vector<std::string> command = {STARPATH_SMPIRUN,
                                      "-platform",
                                      folder / "cluster.xml",
                                      "-hostfile",
                                      folder / "hosts",
                                      "-np",
                                      std::to_string(nodes),
                                      STARPATH_LAB_RANK,
                                      "--cluster=" + fs::absolute(run.cluster).string(),
                                      "--machines=" + fs::absolute(run.machines).string(),
                                      "--workload=" + fs::absolute(run.workload).string(),
                                      "--policy=" + run.policy,
                                      "--estimator=" + run.estimator,
                                      "--window=" + std::to_string(run.window),
                                      "--seed=" + std::to_string(run.seed)};
  for (const std::string& entry : run.set) command.push_back("--set=" + entry);
  for (const std::string& entry : run.nodes) command.push_back("--nodes=" + entry);
  for (const std::string& entry : run.workers) command.push_back("--workers=" + entry);
  if (run.no_reading) command.emplace_back("--no-reading");
  // SimGrid takes these off before our program sees its arguments.
  for (const auto& [name, value] : lab::simgrid_flows()) command.push_back(fmt::format("--cfg={}:{}", name, value));
  for (const char* setting : {"network/model:CM02", "smpi/simulate-computation:no", "contexts/stack-size:8192"})
    command.push_back(fmt::format("--cfg={}", setting));
  return command;
}

Environment environment_of(const fs::path& folder, const std::vector<std::string>& names) {
  Environment own = current_environment();
  std::erase_if(own, [](const auto& entry) {
    return entry.first.starts_with("STARPU_") || entry.first.starts_with("STARPATH_");
  });
  own["STARPU_HOSTNAME"] = names.front();
  own["STARPU_MPI_HOSTNAMES"] = fmt::format("{}", fmt::join(names, " "));
  own["STARPU_HOME"] = own["STARPU_PERF_MODEL_DIR"] = own["TMPDIR"] = folder.string();
  own["STARPU_SILENT"] = "1";
  own["STARPU_CATCH_SIGNALS"] = "0";
  own["STARPATH_ESTIMATOR"] = "perfmodel";
  return own;
}

lab::ClusterResult judge(const SmpiRun& run, const ChildOutcome& outcome) {
  const auto fail = [&](const std::string& why) {
    const std::string line = telling_line(outcome.errors);
    throw Error(ErrorKind::runtime, why + (line.empty() ? "" : ": " + line));
  };
  if (const std::string why = outcome.failure(); !why.empty()) fail(why);
  // A simulation that deadlocks exits with 0, having printed nothing.
  const nlohmann::json output = nlohmann::json::parse(outcome.output, nullptr, false);
  if (!output.is_object()) fail("ended before all tasks were finished");
  if (output["finished"] != output["tasks"])
    fail(fmt::format("finished {} of {} tasks", output["finished"].dump(), output["tasks"].dump()));
  if (output["policy"] != run.policy)
    fail(fmt::format("ran under {} instead of {}", output["policy"].dump(), run.policy));
  if (output["truth_seen"] != 0) fail("the policy asked for the true time of a task");
  lab::ClusterResult result;
  output["makespan"].get_to(result.makespan);
  output["ran"].get_to(result.ran);
  output["busy"].get_to(result.busy);
  output["tiles_of_node"].get_to(result.tiles_of_node);
  output["messages"].get_to(result.messages);
  return result;
}

#endif

}  // namespace

#ifdef STARPATH_LAB_RANK

bool has_smpi() { return true; }

lab::ClusterResult run_in_smpi(const SmpiRun& run, const lab::ClusterModel& cluster) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = write_files(cluster, folder.path());
  return judge(
      run, run_child(command_of(run, folder.path(), names.size()), environment_of(folder.path(), names), run.limit));
}

#else

bool has_smpi() { return false; }

lab::ClusterResult run_in_smpi(const SmpiRun&, const lab::ClusterModel&) {
  throw Error(ErrorKind::usage,
              "this build has no SMPI: build the preset smpi (scripts/build.sh --preset smpi), or leave out "
              "--engine smpi");
}

#endif

}  // namespace starpath::apps
