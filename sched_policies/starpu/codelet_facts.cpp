// What StarPU's public structures say of a task's codelet.
#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {

bool has_name(const starpu_codelet& codelet) {
  return codelet.name != nullptr || (codelet.model != nullptr && codelet.model->symbol != nullptr);
}

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
