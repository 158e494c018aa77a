// A placement as StarPU takes it.
#include "sched_policies/topology/worker_binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace starpath {
namespace {

// Each decides where threads are bound, or how many there are for a GPU: a user who sets one keeps that choice.
constexpr const char* kUsersChoice[] = {"STARPU_WORKERS_CPUID",       "STARPU_WORKERS_COREID",
                                        "STARPU_WORKERS_CUDAID",      "STARPU_WORKERS_NOBIND",
                                        "STARPU_NTHREADS_PER_CORE",   "STARPU_MAIN_THREAD_BIND",
                                        "STARPU_CUDA_THREAD_PER_DEV", "STARPU_CUDA_THREAD_PER_WORKER"};

bool any_numbered(const MachineLayout& layout) {
  return std::ranges::any_of(layout.gpus, [](const GpuInfo& gpu) { return gpu.cuda_id.has_value(); });
}

bool has_many_places(const MachineLayout& layout) { return layout.numa_nodes > 1 || layout.packages > 1; }

std::string obstacle(const MachineLayout& layout, const std::vector<std::optional<std::size_t>>& chosen,
                     Placement placement, const std::function<const char*(const char*)>& variable) {
  if (layout.gpus.empty()) return "there is no GPU to place";
  if (placement == Placement::os) return "STARPATH_PLACEMENT=os leaves the threads to StarPU and the operating system";
  if (!any_numbered(layout)) return "CUDA shows none of the GPUs, so nothing will drive them";
  for (std::size_t gpu = 0; gpu < layout.gpus.size(); ++gpu)
    if (layout.gpus[gpu].cuda_id && !chosen[gpu]) return "there are more GPUs than cores";
  for (const GpuInfo& gpu : layout.gpus)
    if (gpu.cuda_id && has_many_places(layout) && !gpu.location.numa_node && !gpu.location.package)
      return fmt::format("this machine does not tell where GPU {} sits, so StarPU shall measure it", *gpu.cuda_id);
  for (const char* name : kUsersChoice)
    if (const char* value = variable(name); value != nullptr && *value != '\0')
      return fmt::format("{} is set, which decides about binding", name);
  return "";
}

}  // namespace

std::vector<std::optional<std::size_t>> place_gpus(const MachineLayout& layout, Placement placement) {
  const bool take_all = !layout.this_machine && !any_numbered(layout);
  std::vector<Location> gpus, cores;
  std::vector<std::size_t> index;
  for (std::size_t gpu = 0; gpu < layout.gpus.size(); ++gpu) {
    if (!take_all && !layout.gpus[gpu].cuda_id) continue;
    gpus.push_back(layout.gpus[gpu].location);
    index.push_back(gpu);
  }
  for (const CoreInfo& core : layout.cores) cores.push_back(core.location);
  const auto found = choose_cores(gpus, cores, placement);
  std::vector<std::optional<std::size_t>> chosen(layout.gpus.size());
  for (std::size_t i = 0; i < found.size(); ++i) chosen[index[i]] = found[i];
  return chosen;
}

WorkerBinding bind_workers(const MachineLayout& layout, const std::vector<std::optional<std::size_t>>& chosen,
                           Placement placement, const std::function<const char*(const char*)>& variable) {
  if (std::string reason = obstacle(layout, chosen, placement, variable); !reason.empty()) return {{}, reason};
  std::vector<unsigned> threads, devices;
  std::vector<bool> taken(layout.cores.size(), false);
  for (std::size_t gpu = 0; gpu < layout.gpus.size(); ++gpu) {
    if (!layout.gpus[gpu].cuda_id) continue;
    devices.push_back(*layout.gpus[gpu].cuda_id);
    threads.push_back(layout.cores[*chosen[gpu]].pu);
    taken[*chosen[gpu]] = true;
  }
  for (std::size_t core = 0; core < layout.cores.size(); ++core)
    if (!taken[core]) threads.push_back(layout.cores[core].pu);
  // StarPU reads the list of devices up to the first comma, and takes blanks in both.
  return {{{"STARPU_WORKERS_CPUID", fmt::format("{}", fmt::join(threads, " "))},
           {"STARPU_WORKERS_CUDAID", fmt::format("{}", fmt::join(devices, " "))}},
          ""};
}

}  // namespace starpath
