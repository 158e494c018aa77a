// Codelet of operation 1: glass pixels.
#include "codelets/kernels/background.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "background", [&](const Context& context) {
    cpu::background(context, image<const Rgb>(buffers[0]), image<std::uint8_t>(buffers[1]));
  });
}

starpu_perfmodel model = history_model("starpath_background");

}  // namespace

starpu_codelet background = make_codelet("background", run, &model, {STARPU_R, STARPU_W});

}  // namespace starpath::codelets
