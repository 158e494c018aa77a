// Codelet of NBIA: colour conversion and statistics, fused.
#include "codelets/kernels/nbia_statistics.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "nbia_statistics", [&](const Context& context) {
    cpu::nbia_statistics(context, image<const Rgb>(buffers[0]), variable<NbiaCounts>(buffers[1]));
  });
}

starpu_perfmodel model = history_model("starpath_nbia_statistics");

}  // namespace

starpu_codelet nbia_statistics = make_codelet("nbia_statistics", run, &model, {STARPU_R, STARPU_W});

}  // namespace starpath::codelets
