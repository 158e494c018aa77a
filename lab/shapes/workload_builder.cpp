// Tasks with their true times.
#include "lab/shapes/workload_builder.hpp"

#include <algorithm>
#include <cmath>

namespace starpath::lab {

WorkloadBuilder::WorkloadBuilder(const WorkloadModel& model, const LabMachine& machine, std::uint64_t seed)
    : model_(model), machine_(machine), random_(seed * 2 + 1) {
  workload_.name = model.name;
  workload_.window = count("window");
  for (const TaskKind& kind : model.kinds) {
    std::vector<std::string>& codelets = workload_.codelets;
    const auto found = std::ranges::find(codelets, kind.codelet);
    codelet_of_kind_.push_back(static_cast<unsigned>(found - codelets.begin()));
    if (found == codelets.end()) codelets.push_back(kind.codelet);
    workload_.kinds.push_back(kind.name);
  }
}

unsigned WorkloadBuilder::count(const char* name) const { return static_cast<unsigned>(std::llround(parameter(name))); }

unsigned WorkloadBuilder::data(double megabytes, bool owned) {
  workload_.data.push_back({megabytes * 1e6, owned});
  return static_cast<unsigned>(workload_.data.size() - 1);
}

void WorkloadBuilder::group() {
  content_ = random_.lognormal(model_.content_spread);
  known_ = content_ * random_.lognormal(model_.known_spread);
  ++workload_.groups;
}

double WorkloadBuilder::seconds_on_cpu(const TaskKind& kind) const {
  const double loss = machine_.full_cores > 1 && machine_.cpu_workers() > 1
                          ? (1 - machine_.efficiency) * (machine_.cpu_workers() - 1) / (machine_.full_cores - 1)
                          : 0;
  return kind.core_ms * 1e-3 * model_.reference_core_speed / machine_.core_speed / (1 - loss);
}

double WorkloadBuilder::seconds_on(const TaskKind& kind, const Accelerator& device) const {
  const bool gpu = device.kind == AcceleratorKind::gpu;
  const auto speedup = gpu ? kind.gpu : kind.mic;
  if (!speedup) return HUGE_VAL;
  const double faster = device.memory_bandwidth / (gpu ? model_.reference_gpu : model_.reference_mic);
  return kind.core_ms * 1e-3 / *speedup * (1 - kind.regular + kind.regular / faster);
}

WorkTask& WorkloadBuilder::task(unsigned kind, std::vector<Access> data, double work,
                                const std::vector<double>& gains) {
  const TaskKind& model = model_.kinds[kind];
  WorkTask task;
  task.codelet = codelet_of_kind_[kind];
  task.kind = kind;
  task.group = workload_.groups - 1;
  task.data = std::move(data);
  double megabytes = 0;
  for (const Access& access : task.data) megabytes += workload_.data[access.data].bytes * 1e-6;
  task.parameters = {megabytes, known_};
  const double factor = work * std::pow(content_, model.content);
  for (std::size_t c = 0; c < machine_.classes(); ++c) {
    const double mean = c == 0 ? seconds_on_cpu(model) : seconds_on(model, machine_.accelerators[c - 1]);
    const double gain = c > 0 && c <= gains.size() ? gains[c - 1] : 1;
    task.seconds.push_back(mean * gain * factor * random_.lognormal(model_.device_spread));
  }
  workload_.tasks.push_back(std::move(task));
  return workload_.tasks.back();
}

void WorkloadBuilder::merge(std::size_t first) {
  WorkTask whole = workload_.tasks[first];
  for (std::size_t i = first + 1; i < workload_.tasks.size(); ++i)
    for (std::size_t c = 0; c < whole.seconds.size(); ++c) {
      // Reading is the host's part of a task that runs elsewhere.
      if (!std::isfinite(whole.seconds[c])) whole.seconds[c] = whole.seconds[0];
      whole.seconds[c] += workload_.tasks[i].seconds[c];
    }
  workload_.tasks.resize(first);
  workload_.tasks.push_back(std::move(whole));
}

}  // namespace starpath::lab
