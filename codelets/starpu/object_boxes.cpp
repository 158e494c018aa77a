// Codelet of operation 10b: what each label covers.
#include "codelets/kernels/connected_components.hpp"
#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  kernel(context, image<const std::int32_t>(buffers[0]), array<ObjectBox>(buffers[1]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "object_boxes", [&](const KernelContext& context) { work<cpu::object_boxes>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "object_boxes", [&](const KernelContext& context) { work<cuda::object_boxes>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_object_boxes");

}  // namespace

starpu_codelet object_boxes = with_cuda(make_codelet("object_boxes", run, &model, {STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
