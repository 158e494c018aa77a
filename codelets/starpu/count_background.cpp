// Codelet of operation 0: glass pixels in each fixed cell of the slide.
#include "codelets/starpu/count_background.hpp"

#include "codelets/kernels/background.hpp"
#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[], const CountBackgroundArgs& args) {
  kernel(context, image<const std::uint8_t>(buffers[0]), args.origin_x, args.origin_y,
         image<std::uint32_t>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  const auto& args = *static_cast<const CountBackgroundArgs*>(cl_arg);
  run_on_cpu(args.status, "count_background",
             [&](const KernelContext& context) { work<cpu::count_background>(context, buffers, args); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  const auto& args = *static_cast<const CountBackgroundArgs*>(cl_arg);
  run_on_gpu(args.status, "count_background",
             [&](const KernelContext& context) { work<cuda::count_background>(context, buffers, args); });
}

starpu_perfmodel model = history_model("starpath_count_background");

}  // namespace

starpu_codelet count_background =
    with_cuda(make_codelet("count_background", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
