// StarPU's life within a run.
#include "runs/compute.hpp"

#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/gpu_failure.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "runs/kept_files.hpp"
#include "sched_policies/topology/gpu_placement.hpp"

namespace starpath {

SessionUsed compute(const RunRequest& request, RunListener& listener, const std::function<void()>& work) {
  check_plugin_outputs(request);  // a run has asked before, when fewer files were noted
  if (request.session.gpus != 0) apply_gpu_placement([&](const std::string& line) { listener.note(line); });
  const StarpuSession session(request.session);
  // Without a CUDA worker, CUDA says so at any abort(): that is no reason.
  if (session.gpu_workers() > 0) explain_gpu_failures(codelets::gpu_error);
  work();
  return {session.policy(), session.cpu_workers(), session.gpu_workers()};
}

}  // namespace starpath
