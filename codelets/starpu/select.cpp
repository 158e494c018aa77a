// Codelet of operation 7: objects that hold a seed.
#include "codelets/kernels/select.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<const std::uint8_t>(buffers[1]),
         image<const std::uint8_t>(buffers[2]), image<std::uint8_t>(buffers[3]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "select", [&](const KernelContext& context) { work<cpu::select>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "select", [&](const KernelContext& context) { work<cuda::select>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_select");

}  // namespace

starpu_codelet select =
    with_cuda(make_codelet("select", run, &model, {STARPU_R, STARPU_R, STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
