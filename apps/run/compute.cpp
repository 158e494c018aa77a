// StarPU's life within a run.
#include "apps/run/compute.hpp"

#include "apps/run/gpu_failure.hpp"
#include "apps/run/gpu_placement.hpp"
#include "apps/run/kept_files.hpp"
#include "apps/run/run_record.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace starpath::apps {

void compute(const RunArguments& arguments, Outcome& outcome, const std::function<void()>& work) {
  check_plugin_outputs(arguments);  // a run has asked before, when fewer files were noted
  if (arguments.session.gpus != 0) apply_gpu_placement();
  const StarpuSession session(arguments.session);
  // Without a CUDA worker, CUDA says so at any abort(): that is no reason.
  if (session.gpu_workers() > 0) explain_gpu_failures(codelets::gpu_error);
  outcome.policy = session.policy();
  outcome.cpu_workers = session.cpu_workers();
  outcome.gpu_workers = session.gpu_workers();
  work();
  if (!arguments.record.empty() && !outcome.progress.interrupted) outcome.record = record_of(arguments.log);
}

}  // namespace starpath::apps
