// Machines from files.
#include "lab/machine.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

constexpr unsigned kMostDevices = 16;  // that StarPU is built for

Accelerator read_accelerator(ModelFile& file, const ModelSection& section) {
  Accelerator accelerator;
  accelerator.model = section.name;
  const std::string kind = file.text(section, "kind");
  if (kind != "gpu" && kind != "mic") file.fail(section.line, fmt::format("kind '{}': expected gpu or mic", kind));
  accelerator.kind = kind == "gpu" ? AcceleratorKind::gpu : AcceleratorKind::mic;
  accelerator.count = file.count(section, "count", 1, kMostDevices);
  accelerator.memory_bytes = file.number(section, "memory", "MiB", 16, 1 << 20) * (1 << 20);
  accelerator.memory_bandwidth = file.number(section, "memory_bandwidth", "GB/s", 1, 1e5);
  accelerator.to_device = file.number(section, "to_device_bandwidth", "GB/s", 0.01, 1e4) * 1e9;
  accelerator.from_device = file.number(section, "from_device_bandwidth", "GB/s", 0.01, 1e4) * 1e9;
  accelerator.latency = file.number(section, "latency", "us", 0, 1e6) * 1e-6;
  return accelerator;
}

}  // namespace

unsigned LabMachine::devices() const {
  return std::accumulate(accelerators.begin(), accelerators.end(), 0u,
                         [](unsigned sum, const Accelerator& accelerator) { return sum + accelerator.count; });
}

std::vector<unsigned> LabMachine::workers() const {
  std::vector<unsigned> counts{cpu_workers()};
  for (const Accelerator& accelerator : accelerators) counts.push_back(accelerator.count);
  return counts;
}

std::vector<std::string> LabMachine::class_names() const {
  std::vector<std::string> names{"cpu"};
  for (const Accelerator& accelerator : accelerators) names.push_back(accelerator.model);
  return names;
}

LabMachine read_machine(ModelFile file) {
  LabMachine machine;
  unsigned line = 1;
  for (const ModelSection& section : file.sections()) {
    if (section.kind == "machine") {
      if (!machine.name.empty()) file.fail(section.line, "a second machine: one a file");
      line = section.line;
      machine.name = section.name;
      machine.about = file.text(section, "about");
      machine.cores = file.count(section, "cores", 1, 1024);
      machine.full_cores = machine.cores;
      machine.core_speed = file.number(section, "core_speed", "", 0.01, 100);
      machine.efficiency = file.number(section, "efficiency", "", 0.01, 1);
      machine.host_bandwidth = file.number(section, "host_bandwidth", "GB/s", 0.01, 1e4) * 1e9;
    } else if (section.kind == "accelerator") {
      machine.accelerators.push_back(read_accelerator(file, section));
    }
  }
  file.finish({"machine", "accelerator"});
  if (machine.name.empty()) file.fail(1, "there is no section [machine]");
  if (machine.devices() > kMostDevices) file.fail(line, fmt::format("more than {} accelerators", kMostDevices));
  if (machine.devices() > machine.cores)
    file.fail(line, fmt::format("{} accelerators, but {} cores: each needs one that drives it", machine.devices(),
                                machine.cores));
  return machine;
}

LabMachine with_workers(LabMachine machine, const std::vector<unsigned>& workers) {
  if (workers.empty()) return machine;
  if (workers[0] > machine.cpu_workers() || workers.size() != machine.classes())
    throw Error(ErrorKind::usage, fmt::format("machine {} has {} cores that compute and {} classes of accelerators",
                                              machine.name, machine.cpu_workers(), machine.accelerators.size()));
  for (std::size_t i = 1; i < workers.size(); ++i) {
    Accelerator& accelerator = machine.accelerators[i - 1];
    if (workers[i] > accelerator.count)
      throw Error(ErrorKind::usage,
                  fmt::format("machine {} has {} {}", machine.name, accelerator.count, accelerator.model));
    accelerator.count = workers[i];
  }
  machine.cores = workers[0] + machine.devices();
  return machine;
}

}  // namespace starpath::lab
