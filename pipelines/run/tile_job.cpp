// Jobs that do less than others.
#include "pipelines/run/tile_job.hpp"

#include "base/error.hpp"

namespace starpath {
namespace {

constexpr const char* kNoTravel = "this pipeline's data do not travel";
constexpr const char* kNoStreams = "this pipeline's tiles are judged where they are read";

}  // namespace

std::optional<std::string> TileJob::pack(int) { throw Error(ErrorKind::internal, kNoTravel); }
void TileJob::unpack(int, const std::string&) { throw Error(ErrorKind::internal, kNoTravel); }
void TileJob::read(int) { throw Error(ErrorKind::internal, kNoStreams); }
TileBuffer TileJob::buffer(int) { throw Error(ErrorKind::internal, kNoStreams); }
void TileJob::judge(int, TileBuffer) { throw Error(ErrorKind::internal, kNoStreams); }

}  // namespace starpath
