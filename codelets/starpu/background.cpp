// Codelet of operation 1: glass pixels.
#include "codelets/kernels/background.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const Rgb>(buffers[0]), image<std::uint8_t>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "background", [&](const KernelContext& context) { work<cpu::background>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "background", [&](const KernelContext& context) { work<cuda::background>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_background");

}  // namespace

starpu_codelet background = with_cuda(make_codelet("background", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
