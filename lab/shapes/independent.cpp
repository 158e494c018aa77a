// Independent tasks of one codelet whose speedups differ.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

void build(WorkloadBuilder& build) {
  const double least = build.parameter("least_speedup"), most = build.parameter("most_speedup");
  const TaskKind& model = build.model().kinds[0];
  for (unsigned i = 0; i < build.count("tasks"); ++i) {
    build.group();
    // Speedups over the model's: drawn once for GPUs, once for MICs.
    const double gpu = least + (most - least) * build.random().uniform();
    const double mic = least + (most - least) * build.random().uniform();
    std::vector<double> gains, known;
    for (const Accelerator& device : build.machine().accelerators) {
      const bool is_gpu = device.kind == AcceleratorKind::gpu;
      gains.push_back((is_gpu ? model.gpu : model.mic).value_or(1) / (is_gpu ? gpu : mic));
    }
    const unsigned data = build.data(build.parameter("data_MB"));
    WorkTask& task = build.task(0, {{data, kReadWrite}}, 1, gains);
    // Two properties that make devices differ, which a program could know of its task.
    task.parameters.push_back(gpu);
    task.parameters.push_back(mic);
  }
}

}  // namespace

Shape independent_shape() {
  return {"independent",
          {{"tasks", "", 1, 1e6}, kWindow, {"least_speedup", "", 0.01, 1e3}, {"most_speedup", "", 0.01, 1e3}, kData},
          {"task"},
          build};
}

}  // namespace starpath::lab
