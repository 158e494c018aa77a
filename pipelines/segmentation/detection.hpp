// What finds the nuclei of a run.
#pragma once

namespace starpath {

/// `levels`: operations 2 to 8, by levels of red light. `learned`: a network (codelets/kernels/detector.hpp), and the
/// relief of its scores.
enum class Detection : unsigned char { levels, learned };

/// What the parameter `detector` asks for.
constexpr Detection detection_by(double parameter) { return parameter < 0.5 ? Detection::levels : Detection::learned; }

}  // namespace starpath
