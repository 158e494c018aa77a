// Codelet of operation 2: red blood cells.
#include "codelets/kernels/rbc.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "rbc", [&](const Context& context) {
    cpu::rbc(context, image<const Rgb>(buffers[0]), image<std::uint8_t>(buffers[1]));
  });
}

starpu_perfmodel model = history_model("starpath_rbc");

}  // namespace

starpu_codelet rbc = make_codelet("rbc", run, &model, {STARPU_R, STARPU_W});

}  // namespace starpath::codelets
