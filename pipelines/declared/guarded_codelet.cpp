// A module's functions behind ours.
#include "pipelines/declared/guarded_codelet.hpp"

#include <algorithm>
#include <exception>

#include "codelets/starpu/run_kernel.hpp"
#include "codelets/starpu/running_functions.hpp"
#include "pipelines/declared/declared_pipeline.hpp"
#include "pipelines/declared/module_text.hpp"

namespace starpath {
namespace {

/// What the module throws in `call` is a failure of the tile.
template <class Call>
void guard(const DeclaredArguments& arguments, const Call& call) {
  if (arguments.status->failed()) return;
  try {
    call();
  } catch (const std::exception& error) {
    arguments.status->fail(module_text(arguments.operation->name + ": " + error.what()) +
                           arguments.operation->if_it_fails);
  } catch (...) {
    arguments.status->fail(arguments.operation->name + ": failed" + arguments.operation->if_it_fails);
  }
}

/// Runs the implementation that the scheduler has chosen.
template <class Function>
void run_guarded(Function* const (starpu_codelet::*functions)[STARPU_MAXIMPLEMENTATIONS], void* buffers[],
                 const DeclaredArguments& arguments) {
  guard(arguments, [&] {
    const unsigned implementation = starpu_task_get_implementation(starpu_task_get_current());
    (arguments.operation->declared->*functions)[implementation](buffers, arguments.tile);
  });
}

void run_on_core(void* buffers[], void* cl_arg) {
  const codelets::RunningFunctions::Run running;
  run_guarded(&starpu_codelet::cpu_funcs, buffers, *static_cast<const DeclaredArguments*>(cl_arg));
}

void run_on_cuda(void* buffers[], void* cl_arg) {
  const auto& arguments = *static_cast<const DeclaredArguments*>(cl_arg);
  codelets::device_tasks(starpu_worker_get_id()).begin(arguments.operation->name, arguments.status->place());
  run_guarded(&starpu_codelet::cuda_funcs, buffers, arguments);
}

/// As the module's own function sees it: its codelet, and the argument that its implementations get.
int can_execute(unsigned worker, starpu_task* task, unsigned implementation) {
  const auto& arguments = *static_cast<const DeclaredArguments*>(task->cl_arg);
  starpu_task declared = *task;
  declared.cl = arguments.operation->declared;
  declared.cl_arg = arguments.tile;
  int can = 1;  // where the tile has failed, any worker passes the task over
  guard(arguments, [&] { can = declared.cl->can_execute(worker, &declared, implementation); });
  return can;
}

bool may_run_on(const starpu_codelet& declared, unsigned kind) {
  return declared.where == 0 || (declared.where & kind) != 0;
}

template <class Function>
bool has_any(Function* const (&functions)[STARPU_MAXIMPLEMENTATIONS]) {
  return std::ranges::any_of(functions, [](Function* each) { return each != nullptr; });
}

/// `run` in place of each of the module's functions.
template <class Function>
void put_guards(Function* const (&functions)[STARPU_MAXIMPLEMENTATIONS], Function* run,
                Function* (&guards)[STARPU_MAXIMPLEMENTATIONS]) {
  std::ranges::transform(functions, guards, [&](Function* each) { return each != nullptr ? run : nullptr; });
}

}  // namespace

std::string flaw_of_codelet(const starpu_codelet& declared) {
  const auto not_run = [](const char* kind) {
    return std::string("has a function for ") + kind + ", and only those for cores and CUDA are run: take it out";
  };
  if (has_any(declared.opencl_funcs)) return not_run("OpenCL");
  if (has_any(declared.hip_funcs)) return not_run("HIP");
  if (has_any(declared.max_fpga_funcs)) return not_run("Maxeler FPGAs");
  if (declared.type != STARPU_SEQ) return "is for several cores at once, and each task gets one: make it sequential";
  if (declared.bubble_func != nullptr || declared.callback_func != nullptr)
    return "has a bubble_func or a callback_func, which are not called: take it out";
  const bool runs = (declared.cpu_funcs[0] != nullptr && may_run_on(declared, STARPU_CPU)) ||
                    (declared.cuda_funcs[0] != nullptr && may_run_on(declared, STARPU_CUDA));
  return runs ? "" : "has no function for cores or CUDA that its `where` allows: add one";
}

starpu_codelet guarded_codelet(const starpu_codelet& declared) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.where = declared.where;
  codelet.model = declared.model;
  codelet.energy_model = declared.energy_model;
  codelet.color = declared.color;
  codelet.flags = declared.flags;
  codelet.nbuffers = declared.nbuffers;
  std::copy_n(declared.modes, declared.nbuffers, codelet.modes);
  codelet.specific_nodes = declared.specific_nodes;
  std::copy_n(declared.nodes, declared.nbuffers, codelet.nodes);
  if (declared.can_execute != nullptr) codelet.can_execute = can_execute;
  std::ranges::copy(declared.cuda_flags, codelet.cuda_flags);
  if (may_run_on(declared, STARPU_CPU)) put_guards(declared.cpu_funcs, run_on_core, codelet.cpu_funcs);
  if (may_run_on(declared, STARPU_CUDA)) put_guards(declared.cuda_funcs, run_on_cuda, codelet.cuda_funcs);
  return codelet;
}

}  // namespace starpath
