// Phases: one task, many beside each other, one that joins them.
#include <algorithm>

#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

constexpr std::size_t kJoined = 6;  // data that one joining task reads: StarPU's tasks use at most 8

/// The parts stay where they are from phase to phase. Joins form a tree.
void build(WorkloadBuilder& build) {
  enum { serial, parallel, join };
  const double megabytes = build.parameter("data_MB");
  build.group();
  const unsigned common = build.data(megabytes);
  std::vector<unsigned> parts;
  for (unsigned i = 0; i < build.count("width"); ++i) parts.push_back(build.data(megabytes));
  for (unsigned phase = 0; phase < build.count("phases"); ++phase) {
    build.group();
    build.task(serial, {{common, kReadWrite}});
    for (const unsigned part : parts) build.task(parallel, {{common, kRead}, {part, kReadWrite}});
    std::vector<unsigned> left = parts;
    while (!left.empty()) {
      std::vector<unsigned> joined;
      for (std::size_t first = 0; first < left.size(); first += kJoined) {
        const bool last = left.size() <= kJoined;
        joined.push_back(last ? common : build.data(megabytes));
        std::vector<Access> data{{joined.back(), last ? kReadWrite : kWrite}};
        for (std::size_t i = first; i < std::min(first + kJoined, left.size()); ++i) data.push_back({left[i], kRead});
        build.task(join, std::move(data));
      }
      left = joined.size() > 1 ? std::move(joined) : std::vector<unsigned>{};
    }
  }
}

}  // namespace

Shape fork_join_shape() {
  return {"fork-join",
          {{"phases", "", 1, 1e4}, {"width", "", 1, 1e4}, kData, kWindow},
          {"serial", "parallel", "join"},
          build};
}

}  // namespace starpath::lab
