// Codelet of operation 10: the final labels.
#include "codelets/kernels/bwlabel.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::uint8_t>(buffers[0]), image<std::int32_t>(buffers[1]),
         variable<std::int32_t>(buffers[2]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "bwlabel", [&](const KernelContext& context) { work<cpu::bwlabel>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "bwlabel", [&](const KernelContext& context) { work<cuda::bwlabel>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_bwlabel");

}  // namespace

starpu_codelet bwlabel = with_cuda(make_codelet("bwlabel", run, &model, {STARPU_R, STARPU_W, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
