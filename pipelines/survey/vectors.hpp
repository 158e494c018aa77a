// Directions in the space of three densities.
#pragma once
#include <array>

namespace starpath {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  // rows

inline double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace starpath
