// Codelet of operation 3: opening of the inverted red channel.
#include "codelets/kernels/morph_open.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/codelets.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "morph_open", [&](const Context& context) {
    cpu::morph_open(context, image<const Rgb>(buffers[0]), image<std::uint8_t>(buffers[1]),
                    image<std::uint8_t>(buffers[2]));
  });
}

starpu_perfmodel model = history_model("starpath_morph_open");

}  // namespace

starpu_codelet morph_open = make_codelet("morph_open", run, &model, {STARPU_R, STARPU_W, STARPU_W});

}  // namespace starpath::codelets
