// Codelet of operation 5: candidates for seeds, filled.
#include "codelets/kernels/fill_holes.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "fill_holes", [&](const Context& context) {
    cpu::fill_holes(context, image<const std::uint8_t>(buffers[0]), image<std::uint8_t>(buffers[1]));
  });
}

starpu_perfmodel model = history_model("starpath_fill_holes");

}  // namespace

starpu_codelet fill_holes = make_codelet("fill_holes", run, &model, {STARPU_R, STARPU_W});

}  // namespace starpath::codelets
