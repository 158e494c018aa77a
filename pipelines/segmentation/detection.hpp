// What finds the nuclei of a run.
#pragma once
#include <cstdint>

namespace starpath {

/// `levels`: operations 2 to 8, by levels of red light. `learned`: a network (codelets/kernels/detector.hpp), and the
/// relief of its scores. `network`: the same with a network in an ONNX file (pipelines/networks/). `stars`: polygons of
/// such a network (kernels/star_polygons.hpp). `scores`: the same relief, of scores that are read from maps. `labels`:
/// nothing; a map says which pixels are which nucleus.
enum class Detection : std::uint8_t { levels, learned, network, stars, scores, labels };

/// What the parameter `detector` asks for. Where that is a network, it may be one of polygons (detection_of).
constexpr Detection detection_by(double parameter) {
  return parameter < 0.5 ? Detection::levels : parameter < 1.5 ? Detection::learned : Detection::network;
}

}  // namespace starpath
