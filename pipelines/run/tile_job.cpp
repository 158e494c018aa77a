// Jobs of workflows of one stage.
#include "pipelines/run/tile_job.hpp"

#include "base/error.hpp"

namespace starpath {

std::optional<std::string> TileJob::pack(int) {
  throw Error(ErrorKind::internal, "this pipeline's data do not travel");
}
void TileJob::unpack(int, const std::string&) {
  throw Error(ErrorKind::internal, "this pipeline's data do not travel");
}

}  // namespace starpath
