// What StarPU's public structures say of a task's codelet: its name, its implementations and who may use them.
#pragma once
#include <starpu.h>

#include <string_view>

namespace starpath {

/// The codelet's name, else the symbol of its performance model, else "unnamed".
std::string_view codelet_name(const starpu_codelet& codelet);

/// Whether it has a name of its own, or its performance model has.
bool has_name(const starpu_codelet& codelet);

/// Bit i is set when the codelet has an i-th implementation for workers of this type. Says nothing of `where`,
/// `can_execute` or the worker's state.
unsigned implementations(const starpu_codelet& codelet, starpu_worker_archtype type);

/// Whether there are several.
bool has_choice(const starpu_codelet& codelet, starpu_worker_archtype type);

/// The same of those that `task`, which was submitted, may use on such workers, as far as its `where` tells.
unsigned implementations(const starpu_task& task, starpu_worker_archtype type);

/// Whether each worker must be asked if it may run `task`: it names workers, or its codelet has a `can_execute`.
bool chooses_workers(const starpu_task& task);

/// Whether a worker of this type may ask for its next task while it runs this implementation.
bool is_asynchronous(const starpu_codelet& codelet, starpu_worker_archtype type, unsigned implementation);

/// In pre_exec_hook, on a worker of this type: whether its device was given the task while it ran the one before.
bool given_ahead(const starpu_task& task, starpu_worker_archtype type);

}  // namespace starpath
