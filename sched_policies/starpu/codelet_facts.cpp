// What StarPU's public structures say of a task's codelet.
#include "sched_policies/starpu/codelet_facts.hpp"

#include <bit>

namespace starpath {
namespace {

template <class Function>
unsigned mask_of(const Function (&functions)[STARPU_MAXIMPLEMENTATIONS]) {
  unsigned mask = 0;
  for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) {
    if (functions[i] != nullptr) mask |= 1U << i;
  }
  return mask;
}

}  // namespace

bool has_name(const starpu_codelet& codelet) {
  return codelet.name != nullptr || (codelet.model != nullptr && codelet.model->symbol != nullptr);
}

std::string_view codelet_name(const starpu_codelet& codelet) {
  if (codelet.name != nullptr) return codelet.name;
  if (codelet.model != nullptr && codelet.model->symbol != nullptr) return codelet.model->symbol;
  return "unnamed";
}

unsigned implementations(const starpu_codelet& codelet, starpu_worker_archtype type) {
  switch (type) {
    case STARPU_CPU_WORKER:
      return mask_of(codelet.cpu_funcs);
    case STARPU_CUDA_WORKER:
      return mask_of(codelet.cuda_funcs);
    case STARPU_HIP_WORKER:
      return mask_of(codelet.hip_funcs);
    case STARPU_OPENCL_WORKER:
      return mask_of(codelet.opencl_funcs);
    case STARPU_MAX_FPGA_WORKER:
      return mask_of(codelet.max_fpga_funcs);
    default:  // the master-slave types run CPU functions by name
      return mask_of(codelet.cpu_funcs_name);
  }
}

bool has_choice(const starpu_codelet& codelet, starpu_worker_archtype type) {
  return std::popcount(implementations(codelet, type)) > 1;
}

unsigned implementations(const starpu_task& task, starpu_worker_archtype type) {
  const bool here = (static_cast<unsigned>(task.where) & STARPU_WORKER_TO_MASK(type)) != 0;
  return here ? implementations(*task.cl, type) : 0;
}

bool chooses_workers(const starpu_task& task) { return task.workerids_len != 0 || task.cl->can_execute != nullptr; }

bool is_asynchronous(const starpu_codelet& codelet, starpu_worker_archtype type, unsigned implementation) {
  switch (type) {
    case STARPU_CPU_WORKER:
      return false;
    case STARPU_CUDA_WORKER:
      return (codelet.cuda_flags[implementation] & STARPU_CUDA_ASYNC) != 0;
    case STARPU_HIP_WORKER:
      return (codelet.hip_flags[implementation] & STARPU_HIP_ASYNC) != 0;
    case STARPU_OPENCL_WORKER:
      return (codelet.opencl_flags[implementation] & STARPU_OPENCL_ASYNC) != 0;
    default:  // other types' drivers may always
      return true;
  }
}

bool given_ahead(const starpu_task& task, starpu_worker_archtype type) {
  const bool queues = type == STARPU_CUDA_WORKER || type == STARPU_HIP_WORKER || type == STARPU_OPENCL_WORKER;
  // Their drivers make a task the current one when they give it to the device.
  return queues && starpu_task_get_current() != &task;
}

}  // namespace starpath
