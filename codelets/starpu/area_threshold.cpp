// Codelet of operation 6: seeds.
#include "codelets/kernels/connected_components.hpp"
#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "area_threshold", [&](const Context& context) {
    cpu::area_threshold(context, image<const std::uint8_t>(buffers[0]), image<std::uint8_t>(buffers[1]));
  });
}

starpu_perfmodel model = history_model("starpath_area_threshold");

}  // namespace

starpu_codelet area_threshold = make_codelet("area_threshold", run, &model, {STARPU_R, STARPU_W});

}  // namespace starpath::codelets
