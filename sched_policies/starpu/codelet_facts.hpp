// What StarPU's public structures say of a task's codelet: its name, its implementations and who may use them.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace starpath {

/// The codelet's name, else the symbol of its performance model, else "unnamed": as C has it, and with its length.
inline const char* codelet_text(const starpu_codelet& codelet) {
  if (codelet.name != nullptr) return codelet.name;
  if (codelet.model != nullptr && codelet.model->symbol != nullptr) return codelet.model->symbol;
  return "unnamed";
}
inline std::string_view codelet_name(const starpu_codelet& codelet) { return codelet_text(codelet); }

/// Whether it has a name of its own, or its performance model has.
bool has_name(const starpu_codelet& codelet);

/// Bit i is set when `functions` has an i-th one. Without a loop: each task's codelet is looked at several times.
template <class Function>
unsigned mask_of(const Function (&functions)[STARPU_MAXIMPLEMENTATIONS]) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (... | (static_cast<unsigned>(functions[I] != nullptr) << I));
  }
  (std::make_index_sequence<STARPU_MAXIMPLEMENTATIONS>());
}

/// Bit i is set when the codelet has an i-th implementation for workers of this type. Says nothing of `where`,
/// `can_execute` or the worker's state.
inline unsigned implementations(const starpu_codelet& codelet, starpu_worker_archtype type) {
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

/// Whether there are several.
inline bool has_choice(const starpu_codelet& codelet, starpu_worker_archtype type) {
  const unsigned mask = implementations(codelet, type);
  return (mask & (mask - 1)) != 0;  // std::popcount is a call where the processor may lack the instruction
}

/// The same of those that `task`, which was submitted, may use on such workers, as far as its `where` tells.
inline unsigned implementations(const starpu_task& task, starpu_worker_archtype type) {
  const bool here = (static_cast<unsigned>(task.where) & STARPU_WORKER_TO_MASK(type)) != 0;
  return here ? implementations(*task.cl, type) : 0;
}

/// Whether each worker must be asked if it may run `task`: it names workers, or its codelet has a `can_execute`.
inline bool chooses_workers(const starpu_task& task) {
  return task.workerids_len != 0 || task.cl->can_execute != nullptr;
}

/// Whether a worker of this type may ask for its next task while it runs this implementation.
bool is_asynchronous(const starpu_codelet& codelet, starpu_worker_archtype type, unsigned implementation);

/// In pre_exec_hook, on a worker of this type: whether its device was given the task while it ran the one before.
bool given_ahead(const starpu_task& task, starpu_worker_archtype type);

}  // namespace starpath
