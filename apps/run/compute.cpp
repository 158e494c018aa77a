// StarPU's life within a run.
#include "apps/run/compute.hpp"

#include "apps/run/gpu_placement.hpp"
#include "apps/run/kept_files.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/gpu_failure.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace starpath::apps {

SessionUsed compute(const RunRequest& request, const std::function<void()>& work) {
  check_plugin_outputs(request);  // a run has asked before, when fewer files were noted
  if (request.session.gpus != 0) apply_gpu_placement();
  const StarpuSession session(request.session);
  // Without a CUDA worker, CUDA says so at any abort(): that is no reason.
  if (session.gpu_workers() > 0) explain_gpu_failures(codelets::gpu_error);
  work();
  return {session.policy(), session.cpu_workers(), session.gpu_workers()};
}

}  // namespace starpath::apps
