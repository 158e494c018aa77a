// Codelet of operation 7: objects that hold a seed.
#include "codelets/kernels/select.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "select", [&](const Context& context) {
    cpu::select(context, image<const std::uint8_t>(buffers[0]), image<const std::uint8_t>(buffers[1]),
                image<const std::uint8_t>(buffers[2]), image<std::uint8_t>(buffers[3]));
  });
}

starpu_perfmodel model = history_model("starpath_select");

}  // namespace

starpu_codelet select = make_codelet("select", run, &model, {STARPU_R, STARPU_R, STARPU_R, STARPU_W});

}  // namespace starpath::codelets
