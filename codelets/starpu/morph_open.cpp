// Codelet of operation 3: opening of the inverted red channel.
#include "codelets/kernels/morph_open.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const Rgb>(buffers[0]), image<std::uint8_t>(buffers[1]), image<std::uint8_t>(buffers[2]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "morph_open", [&](const KernelContext& context) { work<cpu::morph_open>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "morph_open", [&](const KernelContext& context) { work<cuda::morph_open>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_morph_open");

}  // namespace

starpu_codelet morph_open =
    with_cuda(make_codelet("morph_open", run, &model, {STARPU_R, STARPU_W, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
