// The table of shapes.
#include <fmt/format.h>

#include <algorithm>

#include "lab/shapes/shape.hpp"

namespace starpath::lab {

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      nbia_shape(),        nbia_sizes_shape(), segmentation_shape(), tile_shape(),
      independent_shape(), chains_shape(),     cholesky_shape(),     random_dag_shape(),
      layered_shape(),     fork_join_shape(),  reduction_shape(),    gather_shape(),
      stencil_shape(),     divide_shape(),     wavefront_shape(),    vector_increment_shape()};
  return all;
}

const Shape* find_shape(const std::string& name) {
  const auto found = std::ranges::find(shapes(), name, &Shape::name);
  return found == shapes().end() ? nullptr : &*found;
}

std::string shape_names() {
  std::string names;
  for (const Shape& shape : shapes()) names += fmt::format("{}{}", names.empty() ? "" : ", ", shape.name);
  return names;
}

std::string Parameter::name() const { return fmt::format("{}{}{}", key, *unit == '\0' ? "" : "_", unit); }

Workload make_workload(const WorkloadModel& model, const LabMachine& machine, std::uint64_t seed) {
  WorkloadBuilder builder(model, machine, seed);
  find_shape(model.shape)->build(builder);
  return builder.finish();
}

}  // namespace starpath::lab
