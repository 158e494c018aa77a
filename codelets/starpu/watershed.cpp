// Codelet of operation 9: separations between touching nuclei.
#include "codelets/kernels/watershed.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<const std::uint16_t>(buffers[1]),
         image<std::uint8_t>(buffers[2]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "watershed", [&](const KernelContext& context) { work<cpu::watershed>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "watershed", [&](const KernelContext& context) { work<cuda::watershed>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_watershed");

}  // namespace

starpu_codelet watershed = with_cuda(make_codelet("watershed", run, &model, {STARPU_R, STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
