// Codelet of NBIA: reduction to a coarser level.
#include "codelets/kernels/area_average.hpp"

#include "codelets/starpu/adapter.hpp"
#include "codelets/starpu/nbia.hpp"

namespace starpath::codelets {
namespace {

void run(void* buffers[], void* cl_arg) {
  run_on_cpu(cl_arg, "area_average", [&](const Context& context) {
    cpu::area_average(context, image<const Rgb>(buffers[0]), image<Rgb>(buffers[1]));
  });
}

starpu_perfmodel model = history_model("starpath_area_average");

}  // namespace

starpu_codelet area_average = make_codelet("area_average", run, &model, {STARPU_R, STARPU_W});

}  // namespace starpath::codelets
