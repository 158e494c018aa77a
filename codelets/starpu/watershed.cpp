// Codelet of operation 9: separations between touching nuclei.
#include "codelets/kernels/watershed.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "watershed", [&](const Context& context) {
    cpu::watershed(context, image<const std::uint8_t>(buffers[0]), image<const std::uint16_t>(buffers[1]),
                   image<std::uint8_t>(buffers[2]));
  });
}

starpu_perfmodel model = history_model("starpath_watershed");

}  // namespace

starpu_codelet watershed = make_codelet("watershed", run, &model, {STARPU_R, STARPU_R, STARPU_W});

}  // namespace starpath::codelets
