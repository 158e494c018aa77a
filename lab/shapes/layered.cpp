// Layers of tasks that read data of the layer before.
#include <algorithm>
#include <utility>

#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

constexpr unsigned kKinds = 3;

/// Each task writes data of its own and reads data of random tasks of the layer before.
void build(WorkloadBuilder& build) {
  const unsigned width = build.count("width");
  std::vector<unsigned> before, written;
  for (unsigned layer = 0; layer < build.count("layers"); ++layer) {
    for (unsigned i = 0; i < width; ++i) {
      build.group();
      written.push_back(build.data(build.parameter("data_MB")));
      std::vector<Access> data{{written.back(), kWrite}};
      for (unsigned read = 0; read < build.count("reads") && !before.empty(); ++read) {
        const unsigned other = before[static_cast<std::size_t>(build.random().uniform() * width)];
        if (std::ranges::find(data, other, &Access::data) == data.end()) data.push_back({other, kRead});
      }
      build.task(static_cast<unsigned>(build.random().uniform() * kKinds), std::move(data));
    }
    before = std::exchange(written, {});
  }
}

}  // namespace

Shape layered_shape() {
  return {"layered",
          {{"layers", "", 1, 1e4}, {"width", "", 1, 1e4}, {"reads", "", 0, 6}, kData, kWindow},
          {"first", "second", "third"},
          build};
}

}  // namespace starpath::lab
