// Which core drives which GPU, from the environment to StarPU.
#include "apps/run/gpu_placement.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "apps/cli/terminal.hpp"
#include "base/error.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kOption = "STARPATH_PLACEMENT";

const char* variable(const char* name) { return std::getenv(name); }

}  // namespace

Placement asked_placement() {
  const Placement by_default = Options{}.placement;
  const char* value = variable(kOption);
  if (value == nullptr || *value == '\0') return by_default;
  if (const auto placement = parse_placement(value)) return *placement;
  print_error("starpath: {}\n", bad_value_line(kOption, value));
  setenv(kOption, std::string(name_of(by_default)).c_str(), 1);  // said once: the plug-in reads it too
  return by_default;
}

GpuPlacement plan_gpu_placement(Placement placement, const std::string& xml) {
  GpuPlacement plan{read_machine_layout(xml), placement, {}, {}};
  plan.cores = place_gpus(plan.machine, placement);
  plan.binding = bind_workers(plan.machine, plan.cores, placement, variable);
  return plan;
}

void apply_gpu_placement() {
  const Placement placement = asked_placement();
  if (placement == Placement::os) return;
  try {
    for (const auto& [name, value] : plan_gpu_placement(placement, "").binding.variables)
      setenv(name.c_str(), value.c_str(), 1);
  } catch (const Error& error) {
    print_error("starpath: GPUs are left where StarPU puts them: {}\n", error.what());
  }
}

}  // namespace starpath::apps
