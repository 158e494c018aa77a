// Codelet of operation 10: the final labels.
#include "codelets/kernels/bwlabel.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "bwlabel", [&](const Context& context) {
    cpu::bwlabel(context, image<const std::uint8_t>(buffers[0]), image<std::int32_t>(buffers[1]),
                 variable<std::int32_t>(buffers[2]));
  });
}

starpu_perfmodel model = history_model("starpath_bwlabel");

}  // namespace

starpu_codelet bwlabel = make_codelet("bwlabel", run, &model, {STARPU_R, STARPU_W, STARPU_W});

}  // namespace starpath::codelets
