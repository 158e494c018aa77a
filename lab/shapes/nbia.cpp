// NBIA: tiles at one resolution, or at two.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

void build_nbia(WorkloadBuilder& build) {
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    const unsigned verdict = build.data(16e-6, true);  // the program reads it
    build.task(0, {{build.data(build.parameter("low_MB")), kRead}, {verdict, kWrite}});
    if (build.random().uniform() >= build.parameter("recalc_rate")) continue;
    build.task(1, {{verdict, kRead}, {build.data(build.parameter("high_MB")), kRead}, {build.data(16e-6), kWrite}});
  }
}

/// Between the smallest and the largest side a task's time grows with its pixels, from the time of `small` to that of
/// `large`.
void build_nbia_sizes(WorkloadBuilder& build) {
  constexpr double smallest = 32, largest = 512, bytes_a_pixel = 12;
  const TaskKind &small = build.model().kinds[0], &large = build.model().kinds[1];
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    const double fixed = build.parameter("side"), drawn = smallest + (largest - smallest) * build.random().uniform();
    const double side = fixed > 0 ? fixed : drawn;
    const auto between = [&](double least, double most) {
      return least + (most - least) * (side * side - smallest * smallest) / (largest * largest - smallest * smallest);
    };
    const double work = between(build.seconds_on_cpu(small), build.seconds_on_cpu(large)) / build.seconds_on_cpu(small);
    std::vector<double> gains;
    for (const Accelerator& device : build.machine().accelerators)
      gains.push_back(between(build.seconds_on(small, device), build.seconds_on(large, device)) /
                      (build.seconds_on(small, device) * work));
    build.task(0, {{build.data(bytes_a_pixel * side * side * 1e-6), kRead}, {build.data(16e-6), kWrite}}, work, gains);
  }
}

}  // namespace

Shape nbia_shape() {
  return {"nbia",
          {kTiles, kWindow, {"recalc_rate", "", 0, 1}, {"low", "MB", 0, 1e3}, {"high", "MB", 0, 1e3}},
          {"low", "high"},
          build_nbia};
}

Shape nbia_sizes_shape() {
  return {"nbia-sizes", {kTiles, kWindow, {"side", "", 0, 512}}, {"small", "large"}, build_nbia_sizes};
}

}  // namespace starpath::lab
