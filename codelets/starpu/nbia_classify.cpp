// Codelet of NBIA: the vote. The features come from the counts here, on the CPU, whichever device counted.
#include "codelets/kernels/nbia_classify.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  auto& args = *static_cast<NbiaClassifyArgs*>(cl_arg);
  run_on_cpu(args.status, "nbia_classify", [&](const Context& context) {
    cpu::nbia_classify(context, *variable<const NbiaCounts>(buffers[0]), args.samples, &args.vote);
  });
}

starpu_perfmodel model = history_model("starpath_nbia_classify");

}  // namespace

starpu_codelet nbia_classify = make_codelet("nbia_classify", run, &model, {STARPU_R});

}  // namespace starpath::codelets
