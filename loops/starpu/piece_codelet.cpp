#include "loops/starpu/piece_codelet.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "base/error.hpp"

namespace starpath {

PieceCodelet::PieceCodelet(const starpu_codelet& user, const std::vector<starpu_data_access_mode>& modes)
    : user_(user) {
  if (modes.size() > STARPU_NMAXBUFS)
    throw Error(ErrorKind::usage, "loop: more than " + std::to_string(STARPU_NMAXBUFS) + " handles");
  starpu_codelet_init(&codelet_);
  codelet_.where = user_.where;
  codelet_.name = user_.name;
  codelet_.model = user_.model;
  codelet_.nbuffers = static_cast<int>(modes.size());
  std::copy(modes.begin(), modes.end(), codelet_.modes);
  for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) {
    if (user_.cpu_funcs[i]) codelet_.cpu_funcs[i] = run_cpu;
    if (user_.cuda_funcs[i]) codelet_.cuda_funcs[i] = run_cuda;
    codelet_.cuda_flags[i] = user_.cuda_flags[i];
    if (user_.opencl_funcs[i]) codelet_.opencl_funcs[i] = run_opencl;
    codelet_.opencl_flags[i] = user_.opencl_flags[i];
  }
}

template <class Functions>
void PieceCodelet::run(const Functions& functions, void* buffers[], const Call& call) {
  if (call.end->failed()) return;
  std::string what = "an exception that is no std::exception";
  try {
    functions[starpu_task_get_implementation(starpu_task_get_current())](buffers, call.piece->argument());
    return;
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {  // `what` says it
  }
  call.end->fail(call.piece->text() + " on worker " + std::to_string(call.worker) + ": " + what);
}

void PieceCodelet::run_cpu(void* buffers[], void* call) {
  const Call& known = *static_cast<Call*>(call);
  run(known.codelet->user_.cpu_funcs, buffers, known);
}

void PieceCodelet::run_cuda(void* buffers[], void* call) {
  const Call& known = *static_cast<Call*>(call);
  run(known.codelet->user_.cuda_funcs, buffers, known);
}

void PieceCodelet::run_opencl(void* buffers[], void* call) {
  const Call& known = *static_cast<Call*>(call);
  run(known.codelet->user_.opencl_funcs, buffers, known);
}

}  // namespace starpath
