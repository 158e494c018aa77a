// Codelet of operation 4: what the reconstruction of the opening leaves out.
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<const std::uint8_t>(buffers[1]),
         image<std::uint8_t>(buffers[2]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "recon_to_nuclei",
             [&](const KernelContext& context) { work<cpu::recon_to_nuclei>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "recon_to_nuclei",
             [&](const KernelContext& context) { work<cuda::recon_to_nuclei>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_recon_to_nuclei");

}  // namespace

starpu_codelet recon_to_nuclei =
    with_cuda(make_codelet("recon_to_nuclei", run, &model, {STARPU_R, STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
