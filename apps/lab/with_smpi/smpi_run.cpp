// Platform, host names, environment and command of a run in SMPI.
#include "apps/lab/nodes/smpi_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/lab/simulation_child.hpp"
#include "base/temporary_folder.hpp"
#include "base/text_file.hpp"
#include "lab/platform.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

/// Returns StarPU's host name of each node: that of its group.
std::vector<std::string> write_files(const lab::NodesModel& all_nodes, const fs::path& folder) {
  std::vector<lab::LabMachine> machines;
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group) {
    machines.push_back(all_nodes.machine_of(group));
    machines.back().name = all_nodes.groups[group].name;
    lab::write_platform(machines.back(), folder, STARPATH_STARPU_MAXNODES);
  }
  std::vector<lab::LabMachine> nodes;
  std::vector<std::string> names;
  std::string hosts;
  for (const unsigned group : all_nodes.group_of_node()) {
    hosts += fmt::format("node{}\n", nodes.size());
    nodes.push_back(machines[group]);
    names.push_back(machines[group].name);
  }
  write_text(folder / "hosts", hosts);
  write_text(folder / "network.xml", lab::simgrid_nodes(nodes, all_nodes.bandwidth, all_nodes.latency));
  return names;
}

std::vector<std::string> command_of(const SmpiRun& run, const fs::path& folder, std::size_t nodes) {
  std::vector<std::string> command = {STARPATH_SMPIRUN,
                                      "-platform",
                                      folder / "network.xml",
                                      "-hostfile",
                                      folder / "hosts",
                                      "-np",
                                      std::to_string(nodes),
                                      STARPATH_LAB_RANK,
                                      "--network=" + fs::absolute(run.network).string(),
                                      "--models=" + fs::absolute(run.models).string(),
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
  Environment environment = simulation_environment(names.front(), folder);
  environment["STARPU_MPI_HOSTNAMES"] = fmt::format("{}", fmt::join(names, " "));
  environment["TMPDIR"] = folder.string();
  environment["STARPU_CATCH_SIGNALS"] = "0";
  return environment;
}

lab::NodesResult result_of(const nlohmann::json& output) {
  lab::NodesResult result;
  output.at("makespan").get_to(result.makespan);
  output.at("ran").get_to(result.ran);
  output.at("busy").get_to(result.busy);
  output.at("tiles_of_node").get_to(result.tiles_of_node);
  output.at("messages").get_to(result.messages);
  return result;
}

}  // namespace

lab::NodesResult run_in_smpi(const SmpiRun& run, const lab::NodesModel& all_nodes) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = write_files(all_nodes, folder.path());
  const ChildOutcome outcome =
      run_child(command_of(run, folder.path(), names.size()), environment_of(folder.path(), names), run.limit);
  return result_of(simulation_output(outcome, run.policy));
}

}  // namespace starpath::apps
