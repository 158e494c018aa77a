// Blocks of a grid that are computed again and again from their neighbours.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

/// Square grid. A block is of one kind for good: the border, or the inside in two kinds like a chessboard.
void build(WorkloadBuilder& build) {
  enum { border, black, white };
  const unsigned side = build.count("side");
  build.group();
  std::vector<unsigned> blocks;
  for (unsigned i = 0; i < side * side; ++i) blocks.push_back(build.data(build.parameter("data_MB")));
  for (unsigned step = 0; step < build.count("steps"); ++step) {
    build.group();
    for (unsigned y = 0; y < side; ++y)
      for (unsigned x = 0; x < side; ++x) {
        std::vector<Access> data{{blocks[y * side + x], kReadWrite}};
        if (x > 0) data.push_back({blocks[y * side + x - 1], kRead});
        if (y > 0) data.push_back({blocks[(y - 1) * side + x], kRead});
        if (x + 1 < side) data.push_back({blocks[y * side + x + 1], kRead});
        if (y + 1 < side) data.push_back({blocks[(y + 1) * side + x], kRead});
        const bool inside = data.size() == 5;
        build.task(!inside ? border : (x + y) % 2 == 0 ? black : white, std::move(data));
      }
  }
}

}  // namespace

Shape stencil_shape() {
  return {
      "stencil", {{"side", "", 1, 1e3}, {"steps", "", 1, 1e5}, kData, kWindow}, {"border", "black", "white"}, build};
}

}  // namespace starpath::lab
