// Which core drives which GPU, from the environment to StarPU.
#include "sched_policies/topology/gpu_placement.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {
namespace {

constexpr const char* kOption = "STARPATH_PLACEMENT";

const char* variable(const char* name) { return std::getenv(name); }

}  // namespace

Placement asked_placement(const PlacementReport& report) {
  const Placement by_default = Options{}.placement;
  const char* value = variable(kOption);
  if (value == nullptr || *value == '\0') return by_default;
  if (const auto placement = parse_placement(value)) return *placement;
  report(bad_value_line(kOption, value));
  setenv(kOption, std::string(name_of(by_default)).c_str(), 1);  // said once: the plug-in reads it too
  return by_default;
}

GpuPlacement plan_gpu_placement(Placement placement, const std::string& xml) {
  GpuPlacement plan{read_machine_layout(xml), placement, {}, {}};
  plan.cores = place_gpus(plan.machine, placement);
  plan.binding = bind_workers(plan.machine, plan.cores, placement, variable);
  return plan;
}

void apply_gpu_placement(const PlacementReport& report) {
  const Placement placement = asked_placement(report);
  if (placement == Placement::os) return;
  try {
    for (const auto& [name, value] : plan_gpu_placement(placement, "").binding.variables)
      setenv(name.c_str(), value.c_str(), 1);
  } catch (const Error& error) {
    report(fmt::format("GPUs are left where StarPU puts them: {}", error.what()));
  }
}

}  // namespace starpath
