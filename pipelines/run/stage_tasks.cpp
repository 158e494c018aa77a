// Tasks from rows of a table.
#include "pipelines/run/stage_tasks.hpp"

#include "base/error.hpp"

namespace starpath {

bool runs_here(const starpu_codelet& codelet) {
  const auto has = [](starpu_worker_archtype kind) { return starpu_worker_get_count_by_type(kind) > 0; };
  return (codelet.cpu_funcs[0] != nullptr && has(STARPU_CPU_WORKER)) ||
         (codelet.cuda_funcs[0] != nullptr && has(STARPU_CUDA_WORKER)) ||
         (codelet.opencl_funcs[0] != nullptr && has(STARPU_OPENCL_WORKER));
}

void StageTasks::submit(std::size_t operation, starpu_codelet& codelet, void* argument, starpu_task* task) {
  task->name = codelet.name;
  task->cl = &codelet;
  task->cl_arg = argument;
  task->priority = priority_;
  if (worker >= 0 && starpu_worker_can_execute_task_first_impl(static_cast<unsigned>(worker), task, nullptr) != 0) {
    task->execute_on_a_specific_worker = 1;
    task->workerid = static_cast<unsigned>(worker);
  }
  tags_.at(operation) = {this, operation, task};
  task->callback_func = on_task_end;
  task->callback_arg = &tags_[operation];
  if (starpu_task_submit(task) != 0) {
    task->destroy = 0;
    starpu_task_destroy(task);
    throw Error(ErrorKind::runtime, "no StarPU worker can run '" + std::string(codelet.name) +
                                        "': start with at least one CPU worker (see STARPU_NCPU)");
  }
  ++pending;
}

void StageTasks::on_task_end(void* argument) {
  const Tag tag = *static_cast<Tag*>(argument);
  const OnEnd on_end = tag.tasks->on_end_;  // the tile may be gone before the call returns
  on_end(tag.operation, end_of(*tag.task));
}

}  // namespace starpath
