#include "loops/starpu/loop_workers.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "loops/schedule_list.hpp"

namespace starpath {
namespace {

bool takes_part(unsigned worker, const starpu_codelet& codelet, const LoopOptions& options) {
  const auto& chosen = options.workers;
  if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), worker) == chosen.end()) return false;
  const starpu_worker_archtype type = starpu_worker_get_type(static_cast<int>(worker));
  if (codelet.where != 0 && (codelet.where & STARPU_WORKER_TO_MASK(type)) == 0) return false;
  return (type == STARPU_CPU_WORKER && codelet.cpu_funcs[0]) || (type == STARPU_CUDA_WORKER && codelet.cuda_funcs[0]) ||
         (type == STARPU_OPENCL_WORKER && codelet.opencl_funcs[0]);
}

}  // namespace

unsigned loop_context() {
  const unsigned context = starpu_sched_ctx_get_context();
  return context == STARPU_NMAX_SCHED_CTXS ? 0 : context;
}

std::vector<unsigned> loop_workers(const starpu_codelet& codelet, const LoopOptions& options) {
  if (!starpu_is_initialized()) throw Error(ErrorKind::usage, "loop: start StarPU first (starpu_init)");
  std::vector<unsigned> workers;
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
    if (takes_part(worker, codelet, options) &&
        starpu_sched_ctx_contains_worker(static_cast<int>(worker), loop_context()))
      workers.push_back(worker);
  if (workers.empty()) throw Error(ErrorKind::runtime, "loop: no worker can run the codelet");
  return workers;
}

std::unique_ptr<loops::Schedule> loop_schedule(std::size_t iterations, const std::vector<unsigned>& workers,
                                               const LoopOptions& options) {
  loops::LoopSetup setup{
      .iterations = iterations, .processors = {}, .growth = options.growth, .guided_share = options.guided_share};
  for (const unsigned worker : workers)
    setup.processors.push_back({.initial_block = options.initial_block,
                                .block_factor = options.block_factor,
                                .known_rate = options.known_rate ? options.known_rate(worker) : 0});
  try {
    return loops::make_schedule(options.schedule, setup);
  } catch (const std::invalid_argument& error) {
    throw Error(ErrorKind::usage, std::string("loop: ") + error.what());
  }
}

}  // namespace starpath
