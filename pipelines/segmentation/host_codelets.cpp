// Reading a tile, deciding what it owns, and turning buffers into records, as StarPU tasks.
#include "pipelines/segmentation/host_codelets.hpp"

#include "codelets/starpu/kernel_codelet.hpp"
#include "pipelines/segmentation/tile_job.hpp"

namespace starpath {

starpu_codelet read_codelet = codelets::host_codelet<"read", &TileJob::read>();
starpu_codelet ownership_codelet = codelets::host_codelet<"ownership", &TileJob::assign_roles>();
starpu_codelet collect_codelet = codelets::host_codelet<"collect", &TileJob::collect>();

}  // namespace starpath
