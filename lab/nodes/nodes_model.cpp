// Nodes and their network from files.
#include "lab/nodes/nodes_model.hpp"

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

NodeGroup& find_group(NodesModel& all_nodes, const std::string& name) {
  const auto found = std::ranges::find(all_nodes.groups, name, &NodeGroup::name);
  if (found != all_nodes.groups.end()) return *found;
  std::vector<std::string> names;
  for (const NodeGroup& group : all_nodes.groups) names.push_back(group.name);
  throw Error(ErrorKind::usage,
              fmt::format("{} has no nodes '{}': it has {}", all_nodes.name, name, fmt::join(names, ", ")));
}

}  // namespace

unsigned NodesModel::count() const {
  unsigned sum = 0;
  for (const NodeGroup& group : groups) sum += group.count;
  return sum;
}

std::vector<unsigned> NodesModel::group_of_node() const {
  std::vector<unsigned> group_of;
  for (unsigned group = 0; group < groups.size(); ++group) group_of.insert(group_of.end(), groups[group].count, group);
  return group_of;
}

std::vector<std::string> NodesModel::class_names() const {
  std::vector<std::string> names{"cpu"};
  for (const NodeGroup& group : groups)
    for (const Accelerator& accelerator : group.machine.accelerators)
      if (std::ranges::find(names, accelerator.model) == names.end()) names.push_back(accelerator.model);
  return names;
}

LabMachine NodesModel::machine_of(std::size_t group) const {
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

NodesModel read_nodes(ModelFile file, const std::function<LabMachine(const std::string&)>& machine,
                      const std::vector<std::string>& nodes, const std::vector<std::string>& workers) {
  NodesModel all_nodes;
  unsigned line = 1;
  for (const ModelSection& section : file.sections()) {
    if (section.kind == "network") {
      if (!all_nodes.name.empty()) file.fail(section.line, "a second network: one a file");
      line = section.line;
      all_nodes.name = section.name;
      all_nodes.about = file.text(section, "about");
      all_nodes.latency = file.number(section, "latency", "us", 0, 1e6) * 1e-6;
      all_nodes.bandwidth = file.number(section, "link_bandwidth", "GB/s", 1e-3, 1e4) * 1e9;
      all_nodes.eager_bytes = file.number_or(section, "eager", "kB", 0, 1e6, 0) * 1e3;
      all_nodes.storage_latency = file.number(section, "storage_latency", "us", 0, 1e8) * 1e-6;
      all_nodes.storage_bandwidth = file.number(section, "storage_bandwidth", "GB/s", 1e-3, 1e5) * 1e9;
      all_nodes.wire_share = file.number_or(section, "wire_share", "", 0, 10, 1);
    } else if (section.kind == "nodes") {
      if (std::ranges::find(all_nodes.groups, section.name, &NodeGroup::name) != all_nodes.groups.end())
        file.fail(section.line, fmt::format("nodes {} are given twice", section.name));
      all_nodes.groups.push_back(read_group(file, section, machine));
    }
  }
  file.finish({"network", "nodes"});
  if (all_nodes.name.empty()) file.fail(1, "there is no section [network]");
  if (all_nodes.groups.empty()) file.fail(line, "there is no section [[nodes]]");
  if (all_nodes.count() > kMostNodes) file.fail(line, fmt::format("more than {} nodes", kMostNodes));
  if (all_nodes.class_names().size() > kMostClasses)
    file.fail(line, fmt::format("more than {} models of accelerators", kMostClasses - 1));
  for (const std::string& text : nodes) {
    const OptionEntry entry("--nodes", "GROUP=COUNT", text);
    set_nodes(all_nodes, entry.name(), entry.count());
  }
  for (const std::string& text : workers) {
    const OptionEntry entry("--workers", "GROUP=COUNT,COUNT,...", text);
    set_workers(all_nodes, entry.name(), entry.counts());
  }
  return all_nodes;
}

void set_nodes(NodesModel& all_nodes, const std::string& group, unsigned count) {
  NodeGroup& nodes = find_group(all_nodes, group);
  if (count > kMostNodes)
    throw Error(ErrorKind::usage, fmt::format("nodes {}={}: expected 0 to {}", group, count, kMostNodes));
  if (all_nodes.count() - nodes.count + count == 0)
    throw Error(ErrorKind::usage, fmt::format("nodes {}=0 leaves {} without nodes", group, all_nodes.name));
  nodes.count = count;
}

void set_workers(NodesModel& all_nodes, const std::string& group, const std::vector<unsigned>& workers) {
  NodeGroup& nodes = find_group(all_nodes, group);
  if (workers.size() != nodes.machine.classes())
    throw Error(ErrorKind::usage, fmt::format("workers of {}: {} numbers, but its machine {} has {} device classes",
                                              group, workers.size(), nodes.machine.name, nodes.machine.classes()));
  nodes.machine = with_workers(nodes.machine, workers);
  if (nodes.machine.cores == 0) throw Error(ErrorKind::usage, fmt::format("workers of {}: none is left", group));
}

}  // namespace starpath::lab
