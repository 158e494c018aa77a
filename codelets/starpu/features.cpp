// Codelet of operation 11: measurements.
#include "codelets/kernels/features.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const Rgb>(buffers[0]), image<const std::int32_t>(buffers[1]),
         array<const ObjectBox>(buffers[2]), array<const std::uint8_t>(buffers[3]), image<double>(buffers[4]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "features", [&](const KernelContext& context) { work<cpu::features>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "features", [&](const KernelContext& context) { work<cuda::features>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_features");

}  // namespace

starpu_codelet features =
    with_cuda(make_codelet("features", run, &model, {STARPU_R, STARPU_R, STARPU_R, STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
