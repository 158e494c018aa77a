// Codelet of operation 8: the relief.
#include "codelets/kernels/pre_watershed.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<std::uint8_t>(buffers[1]),
         image<std::uint16_t>(buffers[2]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "pre_watershed",
             [&](const KernelContext& context) { work<cpu::pre_watershed>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "pre_watershed",
             [&](const KernelContext& context) { work<cuda::pre_watershed>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_pre_watershed");

}  // namespace

starpu_codelet pre_watershed =
    with_cuda(make_codelet("pre_watershed", run, &model, {STARPU_R, STARPU_W, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
