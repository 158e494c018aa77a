// Chains of tasks on one piece of data each.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

void build(WorkloadBuilder& build) {
  for (unsigned i = 0; i < build.count("chains"); ++i) {
    build.group();
    const unsigned data = build.data(build.parameter("data_MB"));
    for (unsigned step = 0; step < build.count("length"); ++step) build.task((i + step) % 3, {{data, kReadWrite}});
  }
}

}  // namespace

Shape chains_shape() {
  return {
      "chains", {{"chains", "", 1, 1e5}, {"length", "", 1, 1e5}, kWindow, kData}, {"light", "even", "heavy"}, build};
}

}  // namespace starpath::lab
