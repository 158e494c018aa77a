// Codelet of NBIA: the vote.
#include "codelets/kernels/nbia_classify.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"

namespace starpath::codelets {
namespace {

template <auto kernel>
void work(const KernelContext& context, void* buffers[]) {
  const auto labels = array<const NbiaLabel>(buffers[4]);
  const NbiaSamples samples{array<const double>(buffers[1]).data(), array<const double>(buffers[2]).data(),
                            array<const std::int16_t>(buffers[3]).data(), labels.data(),
                            static_cast<int>(labels.size())};
  kernel(context, *variable<const NbiaCounts>(buffers[0]), samples, variable<NbiaVote>(buffers[5]));
}

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "nbia_classify",
             [&](const KernelContext& context) { work<cpu::nbia_classify>(context, buffers); });
}

void run_cuda(void* buffers[], void* cl_arg) {
  run_on_gpu(cl_arg, "nbia_classify",
             [&](const KernelContext& context) { work<cuda::nbia_classify>(context, buffers); });
}

starpu_perfmodel model = history_model("starpath_nbia_classify");

}  // namespace

starpu_codelet nbia_classify = with_cuda(
    make_codelet("nbia_classify", run, &model, {STARPU_R, STARPU_R, STARPU_R, STARPU_R, STARPU_R, STARPU_W}), run_cuda);

}  // namespace starpath::codelets
