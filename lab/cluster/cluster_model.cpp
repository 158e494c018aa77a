// Clusters from files.
#include "lab/cluster/cluster_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "lab/option_entry.hpp"

namespace starpath::lab {
namespace {

constexpr unsigned kMostNodes = 10000;
constexpr std::size_t kMostClasses = 8;  // of a policy's machine

/// The machine without its accelerators: the cores that would drive them compute.
LabMachine without_accelerators(LabMachine machine) {
  for (Accelerator& accelerator : machine.accelerators) accelerator.count = 0;
  return machine;
}

NodeGroup read_group(ModelFile& file, const ModelSection& section,
                     const std::function<LabMachine(const std::string&)>& machine) {
  NodeGroup group;
  group.name = section.name;
  group.count = file.count(section, "count", 1, kMostNodes);
  group.speed = file.number_or(section, "speed", "", 1e-3, 1e3, 1);
  const std::string name = file.text(section, "machine");
  try {
    group.machine = machine(name);
  } catch (const Error& error) {
    file.fail(section.line, error.what());
  }
  const std::string accelerators = file.text_or(section, "accelerators", "");
  if (accelerators.empty()) return group;
  if (accelerators != "off")
    file.fail(section.line, fmt::format("accelerators '{}': expected off, or no such key", accelerators));
  group.machine = without_accelerators(group.machine);
  return group;
}

NodeGroup& find_group(ClusterModel& cluster, const std::string& name) {
  const auto found = std::ranges::find(cluster.groups, name, &NodeGroup::name);
  if (found != cluster.groups.end()) return *found;
  std::vector<std::string> names;
  for (const NodeGroup& group : cluster.groups) names.push_back(group.name);
  throw Error(ErrorKind::usage,
              fmt::format("cluster {} has no nodes '{}': it has {}", cluster.name, name, fmt::join(names, ", ")));
}

}  // namespace

unsigned ClusterModel::nodes() const {
  unsigned sum = 0;
  for (const NodeGroup& group : groups) sum += group.count;
  return sum;
}

std::vector<unsigned> ClusterModel::group_of_node() const {
  std::vector<unsigned> group_of;
  for (unsigned group = 0; group < groups.size(); ++group) group_of.insert(group_of.end(), groups[group].count, group);
  return group_of;
}

std::vector<std::string> ClusterModel::class_names() const {
  std::vector<std::string> names{"cpu"};
  for (const NodeGroup& group : groups)
    for (const Accelerator& accelerator : group.machine.accelerators)
      if (std::ranges::find(names, accelerator.model) == names.end()) names.push_back(accelerator.model);
  return names;
}

LabMachine ClusterModel::machine_of(std::size_t group) const {
  LabMachine machine = groups[group].machine;
  const std::vector<Accelerator> present = std::move(machine.accelerators);
  machine.accelerators.clear();
  for (const std::string& model : class_names()) {
    if (model == "cpu") continue;
    const auto here = std::ranges::find(present, model, &Accelerator::model);
    if (here != present.end()) {
      machine.accelerators.push_back(*here);
      continue;
    }
    for (const NodeGroup& other : groups) {
      const auto there = std::ranges::find(other.machine.accelerators, model, &Accelerator::model);
      if (there == other.machine.accelerators.end()) continue;
      machine.accelerators.push_back(*there);
      machine.accelerators.back().count = 0;
      break;
    }
  }
  return machine;
}

ClusterModel read_cluster(ModelFile file, const std::function<LabMachine(const std::string&)>& machine,
                          const std::vector<std::string>& nodes, const std::vector<std::string>& workers) {
  ClusterModel cluster;
  unsigned line = 1;
  for (const ModelSection& section : file.sections()) {
    if (section.kind == "cluster") {
      if (!cluster.name.empty()) file.fail(section.line, "a second cluster: one a file");
      line = section.line;
      cluster.name = section.name;
      cluster.about = file.text(section, "about");
      cluster.latency = file.number(section, "latency", "us", 0, 1e6) * 1e-6;
      cluster.bandwidth = file.number(section, "link_bandwidth", "GB/s", 1e-3, 1e4) * 1e9;
      cluster.eager_bytes = file.number_or(section, "eager", "kB", 0, 1e6, 0) * 1e3;
      cluster.storage_latency = file.number(section, "storage_latency", "us", 0, 1e8) * 1e-6;
      cluster.storage_bandwidth = file.number(section, "storage_bandwidth", "GB/s", 1e-3, 1e5) * 1e9;
      cluster.wire_share = file.number_or(section, "wire_share", "", 0, 10, 1);
    } else if (section.kind == "nodes") {
      if (std::ranges::find(cluster.groups, section.name, &NodeGroup::name) != cluster.groups.end())
        file.fail(section.line, fmt::format("nodes {} are given twice", section.name));
      cluster.groups.push_back(read_group(file, section, machine));
    }
  }
  file.finish({"cluster", "nodes"});
  if (cluster.name.empty()) file.fail(1, "there is no section [cluster]");
  if (cluster.groups.empty()) file.fail(line, "there is no section [[nodes]]");
  if (cluster.nodes() > kMostNodes) file.fail(line, fmt::format("more than {} nodes", kMostNodes));
  if (cluster.class_names().size() > kMostClasses)
    file.fail(line, fmt::format("more than {} models of accelerators", kMostClasses - 1));
  for (const std::string& text : nodes) {
    const OptionEntry entry("--nodes", "GROUP=COUNT", text);
    set_nodes(cluster, entry.name(), entry.count());
  }
  for (const std::string& text : workers) {
    const OptionEntry entry("--workers", "GROUP=COUNT,COUNT,...", text);
    set_workers(cluster, entry.name(), entry.counts());
  }
  return cluster;
}

void set_nodes(ClusterModel& cluster, const std::string& group, unsigned count) {
  NodeGroup& nodes = find_group(cluster, group);
  if (count > kMostNodes)
    throw Error(ErrorKind::usage, fmt::format("nodes {}={}: expected 0 to {}", group, count, kMostNodes));
  if (cluster.nodes() - nodes.count + count == 0)
    throw Error(ErrorKind::usage, fmt::format("nodes {}=0 leaves cluster {} without nodes", group, cluster.name));
  nodes.count = count;
}

void set_workers(ClusterModel& cluster, const std::string& group, const std::vector<unsigned>& workers) {
  NodeGroup& nodes = find_group(cluster, group);
  if (workers.size() != nodes.machine.classes())
    throw Error(ErrorKind::usage, fmt::format("workers of {}: {} numbers, but its machine {} has {} device classes",
                                              group, workers.size(), nodes.machine.name, nodes.machine.classes()));
  nodes.machine = with_workers(nodes.machine, workers);
  if (nodes.machine.cores == 0) throw Error(ErrorKind::usage, fmt::format("workers of {}: none is left", group));
}

}  // namespace starpath::lab
