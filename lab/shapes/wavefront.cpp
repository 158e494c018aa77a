// Blocks of a grid; each needs the block before it in its row and the one before it in its column.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

/// Square grid, swept several times. A block is of one kind for good: the first row and column, or the rest in two
/// kinds like a chessboard.
void build(WorkloadBuilder& build) {
  enum { first, black, white };
  const unsigned side = build.count("side");
  build.group();
  std::vector<unsigned> blocks;
  for (unsigned i = 0; i < side * side; ++i) blocks.push_back(build.data(build.parameter("data_MB")));
  for (unsigned sweep = 0; sweep < build.count("sweeps"); ++sweep) {
    build.group();
    for (unsigned y = 0; y < side; ++y)
      for (unsigned x = 0; x < side; ++x) {
        std::vector<Access> data{{blocks[y * side + x], kReadWrite}};
        if (x > 0) data.push_back({blocks[y * side + x - 1], kRead});
        if (y > 0) data.push_back({blocks[(y - 1) * side + x], kRead});
        build.task(x == 0 || y == 0 ? first : (x + y) % 2 == 0 ? black : white, std::move(data));
      }
  }
}

}  // namespace

Shape wavefront_shape() {
  return {
      "wavefront", {{"side", "", 1, 1e3}, {"sweeps", "", 1, 1e4}, kData, kWindow}, {"first", "black", "white"}, build};
}

}  // namespace starpath::lab
