// Divide and conquer: data are split in two until they are small, and merged again.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

enum { split, solve, merge };

void conquer(WorkloadBuilder& build, unsigned whole, unsigned depth) {
  if (depth == 0) {
    build.task(solve, {{whole, kReadWrite}});
    return;
  }
  const double megabytes = build.parameter("data_MB");
  const unsigned left = build.data(megabytes), right = build.data(megabytes);
  build.task(split, {{whole, kRead}, {left, kWrite}, {right, kWrite}});
  conquer(build, left, depth - 1);
  conquer(build, right, depth - 1);
  build.task(merge, {{left, kRead}, {right, kRead}, {whole, kReadWrite}});
}

/// Several problems, one submitted after the other.
void build(WorkloadBuilder& build) {
  for (unsigned problem = 0; problem < build.count("problems"); ++problem) {
    build.group();
    conquer(build, build.data(build.parameter("data_MB")), build.count("depth"));
  }
}

}  // namespace

Shape divide_shape() {
  return {
      "divide", {{"problems", "", 1, 1e4}, {"depth", "", 1, 16}, kData, kWindow}, {"split", "solve", "merge"}, build};
}

}  // namespace starpath::lab
