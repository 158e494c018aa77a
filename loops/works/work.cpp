// Execution and names of loops.
#include "loops/works/work.hpp"

#include <chrono>

#include "base/error.hpp"
#include "loops/works/work_kinds.hpp"

namespace starpath {
namespace {

using Clock = std::chrono::steady_clock;

void spin_after(Clock::time_point begin, double slow) {
  if (slow <= 1 || starpu_worker_get_id() != starpu_worker_get_by_type(STARPU_CPU_WORKER, 0)) return;
  const auto until = begin + (Clock::now() - begin) * slow;
  while (Clock::now() < until) {
  }
}

/// The codelet of a Work whose pieces are Parts (LoopBlock, LoopTile).
template <class Work, class Part>
starpu_codelet codelet_of() {
  const auto on_cpu = [](void* buffers[], void* arg) {
    const auto& part = *static_cast<const Part*>(arg);
    const auto& work = *static_cast<const Work*>(part.argument);
    const auto begin = Clock::now();
    work.run(cpu_device(), buffers, part);
    spin_after(begin, work.slow);
  };
  const auto on_gpu = [](void* buffers[], void* arg) {
    const auto& part = *static_cast<const Part*>(arg);
    const KernelContext context = codelets::gpu_context();
    const Scratch::Mark mark(context.scratch);
    static_cast<const Work*>(part.argument)->run({context, true}, buffers, part);
  };
  return codelets::with_gpu(cpu_codelet(on_cpu, "starpath_loop"), on_gpu);
}

}  // namespace

starpu_codelet BlockWork::codelet() const { return codelet_of<BlockWork, LoopBlock>(); }

LoopReport BlockWork::execute(const starpu_codelet& codelet, LoopOptions options) {
  options.argument = this;
  return parallel_for(iterations_, codelet, data(), options);
}

starpu_codelet TileWork::codelet() const { return codelet_of<TileWork, LoopTile>(); }

LoopReport TileWork::execute(const starpu_codelet& codelet, LoopOptions options) {
  options.argument = this;
  return wavefront_for({.rows = side_, .columns = side_, .stride = 0, .dependencies = dependencies()}, codelet, data(),
                       options);
}

const std::vector<LoopWorkName>& loop_work_names() {
  static const std::vector<LoopWorkName> names = [] {
    std::vector<LoopWorkName> all = block_works();
    for (const auto& more : {tile_works(), estimator_works()}) all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return names;
}

const LoopWorkName& find_loop_work(std::string_view name) {
  std::string known;
  for (const LoopWorkName& each : loop_work_names()) {
    if (name == each.name) return each;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw Error(ErrorKind::usage, "unknown loop: " + std::string(name) + "; there are: " + known);
}

}  // namespace starpath
