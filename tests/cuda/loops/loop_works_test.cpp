// What the loops of `starpath loop` do on a GPU, in the SIMT host runtime: a worker of StarPU whose memory is the
// host's runs their CUDA implementations.
#include <gtest/gtest.h>
#include <starpu.h>

#include <string>

#include "codelets/starpu/gpu_workers.hpp"
#include "loops/works/work.hpp"
#include "tests/loops/starpu/workers.hpp"

// In place of the workers that a build with CUDA has (codelets/starpu/with_gpus).
namespace starpath::codelets {

KernelContext gpu_context() {
  thread_local Scratch scratch;
  return {scratch};
}
int has_room(unsigned, starpu_task*, unsigned) { return 1; }

}  // namespace starpath::codelets

namespace starpath {
namespace {

class LoopWorks : public WithWorkers<2> {};

constexpr unsigned kGpu = 1;
starpu_cuda_func_t on_gpu = nullptr;
starpu_cpu_func_t on_cpu = nullptr;

void run(void* buffers[], void* arg) { (starpu_worker_get_id() == int{kGpu} ? on_gpu : on_cpu)(buffers, arg); }

/// The loop's codelet for CPU workers. One of them does what GPUs would do.
starpu_codelet with_a_gpu(starpu_codelet codelet) {
  on_gpu = codelet.cuda_funcs[0];
  on_cpu = codelet.cpu_funcs[0];
  EXPECT_EQ(codelet.cuda_flags[0], STARPU_CUDA_ASYNC);
  codelet.cpu_funcs[0] = run;
  codelet.cuda_funcs[0] = nullptr;
  return codelet;
}

std::size_t small_size(const std::string& loop) {
  if (loop == "boxfilter" || loop == "heart") return 13;  // rows
  if (loop == "nbody" || loop == "strmatch") return 157;
  if (loop == "heat2d") return 141;
  if (loop == "knn") return 9;
  return loop == "eclat" ? 7 : 4001;
}

TEST_F(LoopWorks, HaveTheSerialBitsOnAGpuAndBesideOne) {
  for (const LoopWorkName& name : loop_work_names())
    for (const bool alone : {true, false}) {
      SCOPED_TRACE(std::string(name.name) + (alone ? " on a GPU" : " on a GPU and a core"));
      const auto work = name.make(small_size(name.name));
      LoopOptions options;
      if (alone) options.workers = {kGpu};
      const starpu_codelet codelet = work->codelet();
      ASSERT_NE(codelet.cuda_funcs[0], nullptr);
      const LoopReport report = work->execute(with_a_gpu(codelet), options);
      work->run_serially();
      work->release();
      EXPECT_TRUE(work->same());
      std::size_t blocks = 0, iterations = 0;
      for (const LoopShare& share : report.shares) {
        blocks += share.blocks;
        iterations += share.iterations;
      }
      EXPECT_EQ(iterations, work->iterations());
      EXPECT_GE(blocks, 2U) << "a loop that was never divided";
    }
}

}  // namespace
}  // namespace starpath
