// A tree that combines data two by two.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

/// Several trees. Each leaf makes its data; a task adds one piece of data to another, and the last one stays.
void build(WorkloadBuilder& build) {
  enum { leaf, combine, top };
  for (unsigned tree = 0; tree < build.count("trees"); ++tree) {
    std::vector<unsigned> left;
    for (unsigned i = 0; i < build.count("leaves"); ++i) {
      build.group();
      left.push_back(build.data(build.parameter("data_MB")));
      build.task(leaf, {{left.back(), kWrite}});
    }
    build.group();
    while (left.size() > 1) {
      std::vector<unsigned> kept;
      for (std::size_t i = 0; i < left.size(); i += 2) {
        kept.push_back(left[i]);
        if (i + 1 == left.size()) continue;
        build.task(left.size() == 2 ? top : combine, {{left[i], kReadWrite}, {left[i + 1], kRead}});
      }
      left = std::move(kept);
    }
  }
}

}  // namespace

Shape reduction_shape() {
  return {
      "reduction", {{"trees", "", 1, 1e4}, {"leaves", "", 1, 1e5}, kData, kWindow}, {"leaf", "combine", "top"}, build};
}

}  // namespace starpath::lab
