// Codelet of operation 6: seeds.
#include "codelets/kernels/connected_components.hpp"
#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<std::uint8_t>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "area_threshold",
             [&](const KernelContext& context) { work<cpu::area_threshold>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "area_threshold",
             [&](const KernelContext& context) { work<cuda::area_threshold>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_area_threshold");

}  // namespace

starpu_codelet area_threshold = with_cuda(make_codelet("area_threshold", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
