// Random graphs of tasks.
#include <algorithm>

#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

/// Each task writes data of its own and reads data of random earlier tasks.
void build(WorkloadBuilder& build) {
  enum { any, core };
  const auto chance = [&] { return build.random().uniform(); };
  std::vector<unsigned> written;
  for (unsigned i = 0; i < build.count("tasks"); ++i) {
    build.group();
    std::vector<Access> data;
    const auto edges = static_cast<unsigned>(2 * build.parameter("edges_per_task") * chance());
    for (unsigned edge = 0; edge < edges && i > 0; ++edge) {
      const unsigned read = written[static_cast<std::size_t>(chance() * i)];
      if (std::ranges::find(data, read, &Access::data) == data.end()) data.push_back({read, kRead});
    }
    written.push_back(build.data(build.parameter("data_MB") * chance()));
    data.push_back({written.back(), kWrite});
    build.task(chance() < build.parameter("cores_only") ? core : any, std::move(data));
  }
}

}  // namespace

Shape random_dag_shape() {
  return {"random-dag",
          {{"tasks", "", 1, 1e5}, {"edges_per_task", "", 0, 3}, {"cores_only", "", 0, 1}, kData, kWindow},
          {"any", "core"},
          build};
}

}  // namespace starpath::lab
