// Reading a tile, deciding what it owns, and turning buffers into records, as StarPU tasks.
#include "pipelines/segmentation/host_codelets.hpp"

#include "codelets/starpu/adapter.hpp"
#include "pipelines/segmentation/tile_job.hpp"

namespace starpath {
namespace {

using codelets::array;
using codelets::image;

template <class Work>
void run_for_job(void* cl_arg, const char* operation, Work&& work) {
  auto& job = *static_cast<TileJob*>(cl_arg);
  codelets::run_on_cpu(&job.status, operation, [&](const KernelContext&) { work(job); });
}

void run_read(void* buffers[], void* cl_arg) {
  run_for_job(cl_arg, "read", [&](TileJob& job) { job.read(image<Rgb>(buffers[0])); });
}

void run_ownership(void* buffers[], void* cl_arg) {
  run_for_job(cl_arg, "ownership", [&](TileJob& job) {
    job.assign_roles(array<const ObjectBox>(buffers[0]), array<std::uint8_t>(buffers[1]));
  });
}

void run_collect(void* buffers[], void* cl_arg) {
  run_for_job(cl_arg, "collect", [&](TileJob& job) {
    job.collect(image<const std::int32_t>(buffers[0]), array<const ObjectBox>(buffers[1]),
                array<const std::uint8_t>(buffers[2]), image<const double>(buffers[3]));
  });
}

starpu_perfmodel read_model = codelets::history_model("starpath_read");
starpu_perfmodel ownership_model = codelets::history_model("starpath_ownership");
starpu_perfmodel collect_model = codelets::history_model("starpath_collect");

}  // namespace

starpu_codelet read_codelet = codelets::make_codelet("read", run_read, &read_model, {STARPU_W});
starpu_codelet ownership_codelet =
    codelets::make_codelet("ownership", run_ownership, &ownership_model, {STARPU_R, STARPU_W});
starpu_codelet collect_codelet =
    codelets::make_codelet("collect", run_collect, &collect_model, {STARPU_R, STARPU_R, STARPU_R, STARPU_R});

}  // namespace starpath
