// Codelet of operation 2: red blood cells.
#include "codelets/kernels/rbc.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const Rgb>(buffers[0]), image<std::uint8_t>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "rbc", [&](const KernelContext& context) { work<cpu::rbc>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "rbc", [&](const KernelContext& context) { work<cuda::rbc>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_rbc");

}  // namespace

starpu_codelet rbc = with_cuda(make_codelet("rbc", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
