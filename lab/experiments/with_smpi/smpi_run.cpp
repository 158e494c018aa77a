// Platform, host names, environment and command of a run in SMPI.
#include "lab/experiments/smpi_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/temporary_folder.hpp"
#include "base/text_file.hpp"
#include "lab/experiments/model_files.hpp"
#include "lab/experiments/simulation_child.hpp"
#include "lab/platform.hpp"

namespace starpath::lab {
namespace {

namespace fs = std::filesystem;

/// Returns StarPU's host name of each node: that of its group.
std::vector<std::string> write_files(const NodesModel& all_nodes, const fs::path& folder) {
  std::vector<LabMachine> machines;
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group) {
    machines.push_back(all_nodes.machine_of(group));
    machines.back().name = all_nodes.groups[group].name;
    write_platform(machines.back(), folder, STARPATH_STARPU_MAXNODES);
  }
  std::vector<LabMachine> nodes;
  std::vector<std::string> names;
  std::string hosts;
  for (const unsigned group : all_nodes.group_of_node()) {
    hosts += fmt::format("node{}\n", nodes.size());
    nodes.push_back(machines[group]);
    names.push_back(machines[group].name);
  }
  write_text(folder / "hosts", hosts);
  write_text(folder / "network.xml", simgrid_nodes(nodes, all_nodes.bandwidth, all_nodes.latency));
  return names;
}

std::vector<std::string> command_of(const NodesRequest& request, const std::string& policy, unsigned window,
                                    const fs::path& folder, std::size_t nodes) {
  std::vector<std::string> command = {STARPATH_SMPIRUN,
                                      "-platform",
                                      folder / "network.xml",
                                      "-hostfile",
                                      folder / "hosts",
                                      "-np",
                                      std::to_string(nodes),
                                      STARPATH_LAB_RANK,
                                      "--network=" + fs::absolute(network_file(request.network)).string(),
                                      "--models=" + fs::absolute(model_folder()).string(),
                                      "--workload=" + fs::absolute(workload_file(request.workload)).string(),
                                      "--policy=" + policy,
                                      "--estimator=" + request.estimator,
                                      "--window=" + std::to_string(window),
                                      "--seed=" + std::to_string(request.seed)};
  for (const std::string& entry : request.set) command.push_back("--set=" + entry);
  for (const std::string& entry : request.nodes) command.push_back("--nodes=" + entry);
  for (const std::string& entry : request.workers) command.push_back("--workers=" + entry);
  if (request.no_reading) command.emplace_back("--no-reading");
  // SimGrid takes these off before our program sees its arguments.
  for (const auto& [name, value] : simgrid_flows()) command.push_back(fmt::format("--cfg={}:{}", name, value));
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

NodesResult result_of(const nlohmann::json& output) {
  NodesResult result;
  output.at("makespan").get_to(result.makespan);
  output.at("ran").get_to(result.ran);
  output.at("busy").get_to(result.busy);
  output.at("tiles_of_node").get_to(result.tiles_of_node);
  output.at("messages").get_to(result.messages);
  return result;
}

}  // namespace

NodesResult run_in_smpi(const NodesRequest& request, const NodesModel& nodes, const std::string& policy,
                        unsigned window) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = write_files(nodes, folder.path());
  const std::chrono::milliseconds limit(static_cast<std::int64_t>(request.timeout * 1000));
  const ChildOutcome outcome = run_child(command_of(request, policy, window, folder.path(), names.size()),
                                         environment_of(folder.path(), names), limit);
  return result_of(simulation_output(outcome, policy));
}

}  // namespace starpath::lab
