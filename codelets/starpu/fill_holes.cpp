// Codelet of operation 5: candidates for seeds, filled.
#include "codelets/kernels/fill_holes.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<std::uint8_t>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "fill_holes", [&](const KernelContext& context) { work<cpu::fill_holes>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "fill_holes", [&](const KernelContext& context) { work<cuda::fill_holes>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_fill_holes");

}  // namespace

starpu_codelet fill_holes = with_cuda(make_codelet("fill_holes", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
