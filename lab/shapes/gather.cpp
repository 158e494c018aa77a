// Trees of any width: many inputs, and an end that is narrow.
#include <algorithm>

#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

/// Several gatherings. Each input is read from main memory and becomes a piece; `fan` pieces at a time are gathered
/// into a new one, until one is left.
void build(WorkloadBuilder& build) {
  enum { load, gather, last };
  const double megabytes = build.parameter("data_MB");
  const std::size_t fan = build.count("fan");
  for (unsigned end = 0; end < build.count("ends"); ++end) {
    std::vector<unsigned> left;
    for (unsigned i = 0; i < build.count("inputs"); ++i) {
      build.group();
      const unsigned input = build.data(megabytes);
      left.push_back(build.data(megabytes));
      build.task(load, {{input, kRead}, {left.back(), kWrite}});
    }
    build.group();
    while (left.size() > 1) {
      std::vector<unsigned> gathered;
      for (std::size_t first = 0; first < left.size(); first += fan) {
        gathered.push_back(build.data(megabytes));
        std::vector<Access> data{{gathered.back(), kWrite}};
        for (std::size_t i = first; i < std::min(first + fan, left.size()); ++i) data.push_back({left[i], kRead});
        build.task(left.size() <= fan ? last : gather, std::move(data));
      }
      left = std::move(gathered);
    }
  }
}

}  // namespace

/// A task reads at most seven pieces: StarPU's tasks use at most 8.
Shape gather_shape() {
  return {"gather",
          {{"ends", "", 1, 1e4}, {"inputs", "", 1, 1e5}, {"fan", "", 2, 7}, kData, kWindow},
          {"load", "gather", "last"},
          build};
}

}  // namespace starpath::lab
