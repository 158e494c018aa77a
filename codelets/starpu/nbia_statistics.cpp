// Codelet of NBIA: colour conversion and statistics, fused.
#include "codelets/kernels/nbia_statistics.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const Rgb>(buffers[0]), variable<NbiaCounts>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "nbia_statistics",
             [&](const KernelContext& context) { work<cpu::nbia_statistics>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "nbia_statistics",
             [&](const KernelContext& context) { work<cuda::nbia_statistics>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_nbia_statistics");

}  // namespace

starpu_codelet nbia_statistics =
    with_cuda(make_codelet("nbia_statistics", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
