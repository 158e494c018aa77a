// Codelet of NBIA: reduction to a coarser level.
#include "codelets/kernels/area_average.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const Rgb>(buffers[0]), image<Rgb>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "area_average", [&](const KernelContext& context) { work<cpu::area_average>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "area_average", [&](const KernelContext& context) { work<cuda::area_average>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_area_average");

}  // namespace

starpu_codelet area_average = with_cuda(make_codelet("area_average", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
