// Chunks of a vector, each incremented.
#include <algorithm>

#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

void build(WorkloadBuilder& build) {
  const double chunk = build.parameter("chunk");
  for (double left = build.parameter("integers"); left > 0; left -= chunk) {
    build.group();
    const double integers = std::min(left, chunk);
    build.task(0, {{build.data(4e-6 * integers), kReadWrite}}, integers * 1e-6);
  }
}

}  // namespace

Shape vector_increment_shape() {
  return {"vector-increment", {{"integers", "", 1, 1e10}, {"chunk", "", 1, 1e9}, kWindow}, {"increment"}, build};
}

}  // namespace starpath::lab
