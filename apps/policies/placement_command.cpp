// `starpath placement`: which core drives which GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "sched_policies/topology/gpu_placement.hpp"

namespace starpath::apps {
namespace {

struct PlacementArguments {
  std::string topology;
  bool json = false, env = false;
};

template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : "-";
}

template <class Value>
nlohmann::json json_of(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

void print_json(const GpuPlacement& plan) {
  nlohmann::json gpus = nlohmann::json::array(), variables = nlohmann::json::object();
  for (std::size_t i = 0; i < plan.machine.gpus.size(); ++i) {
    const GpuInfo& gpu = plan.machine.gpus[i];
    nlohmann::json row = {{"gpu", json_of(gpu.cuda_id)},
                          {"pci_bus", gpu.pci_bus},
                          {"model", gpu.model},
                          {"numa_node", json_of(gpu.location.numa_node)},
                          {"package", json_of(gpu.location.package)},
                          {"core", nullptr}};
    if (plan.cores[i]) {
      const CoreInfo& core = plan.machine.cores[*plan.cores[i]];
      row["core"] = core.core;
      row["cpu"] = core.os_cpu;
      row["core_numa_node"] = json_of(core.location.numa_node);
      row["distance"] = distance(core.location, gpu.location);
    }
    gpus.push_back(row);
  }
  for (const auto& [name, value] : plan.binding.variables) variables[name] = value;
  const nlohmann::json out = {{"placement", name_of(plan.placement)},
                              {"this_machine", plan.machine.this_machine},
                              {"packages", plan.machine.packages},
                              {"numa_nodes", plan.machine.numa_nodes},
                              {"cores", plan.machine.cores.size()},
                              {"gpus", gpus},
                              {"variables", variables},
                              {"left_to_starpu", plan.binding.reason}};
  write_json(out, 2);
}

void print_text(const GpuPlacement& plan) {
  const MachineLayout& machine = plan.machine;
  print_out("packages {}, NUMA nodes {}, cores {}, GPUs {}; placement: {}\n", machine.packages, machine.numa_nodes,
            machine.cores.size(), machine.gpus.size(), name_of(plan.placement));
  if (!machine.gpus.empty())
    print_out("{:<4} {:<13} {:>9} {:>5} {:>5} {:>11} {:>9}  {}\n", "GPU", "PCI bus", "NUMA node", "core", "CPU",
              "core's NUMA", "distance", "model");
  for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
    const GpuInfo& gpu = machine.gpus[i];
    const CoreInfo* core = plan.cores[i] ? &machine.cores[*plan.cores[i]] : nullptr;
    const auto of_core = [&](auto value) { return core == nullptr ? std::string("-") : text_of(value(*core)); };
    print_out("{:<4} {:<13} {:>9} {:>5} {:>5} {:>11} {:>9}  {}\n", text_of(gpu.cuda_id), gpu.pci_bus,
              text_of(gpu.location.numa_node), of_core([](const CoreInfo& it) { return std::optional(it.core); }),
              of_core([](const CoreInfo& it) { return std::optional(it.os_cpu); }),
              of_core([](const CoreInfo& it) { return it.location.numa_node; }),
              of_core([&](const CoreInfo& it) { return std::optional(distance(it.location, gpu.location)); }),
              gpu.model);
  }
  for (const auto& [name, value] : plan.binding.variables) print_out("{}={}\n", name, value);
  if (!plan.binding.reason.empty()) print_out("StarPU is told nothing: {}\n", plan.binding.reason);
}

void print_env(const GpuPlacement& plan) {
  for (const auto& [name, value] : plan.binding.variables) print_out("export {}='{}'\n", name, value);
  if (!plan.binding.reason.empty()) print_out("# StarPU is told nothing: {}\n", plan.binding.reason);
}

void run(const PlacementArguments& arguments) {
  const GpuPlacement plan = plan_gpu_placement(
      asked_placement([](const std::string& line) { print_error("starpath: {}\n", line); }), arguments.topology);
  arguments.env ? print_env(plan) : arguments.json ? print_json(plan) : print_text(plan);
}

}  // namespace

void add_placement_command(CLI::App& app) {
  auto arguments = std::make_shared<PlacementArguments>();
  CLI::App* command =
      app.add_subcommand("placement", "Say which core drives which GPU (STARPATH_PLACEMENT: closest, os or worst)");
  command->add_option("--topology", arguments->topology, "An hwloc XML file (lstopo FILE.xml) instead of this machine");
  auto* json = command->add_flag("--json", arguments->json, "Print JSON");
  command
      ->add_flag("--env", arguments->env,
                 "Print what a shell must set before it starts a StarPU program: use with eval")
      ->excludes(json);
  command->footer(
      "core: hwloc's number; CPU: the operating system's number of its first thread;\n"
      "distance: boundaries crossed on the way, one for another NUMA node, one for another package.");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
