// A pipeline's tile as the workload file lists it: tasks, and the data that they read and write.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

void build(WorkloadBuilder& build) {
  const WorkloadModel& model = build.model();
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    std::vector<unsigned> data;
    for (const TileData& piece : model.data) data.push_back(build.data(piece.megabytes));
    for (unsigned kind = 0; kind < model.kinds.size(); ++kind) {
      std::vector<Access> accesses;
      for (const unsigned read : model.kinds[kind].reads) accesses.push_back({data[read], kRead});
      for (const unsigned written : model.kinds[kind].writes) accesses.push_back({data[written], kWrite});
      build.task(kind, std::move(accesses));
    }
  }
}

}  // namespace

Shape tile_shape() { return {"tile", {kTiles, kWindow}, {}, build}; }

}  // namespace starpath::lab
