// From the colours of two stains to the table that colour deconvolution works with.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/deconvolution.hpp"

namespace starpath {

/// Optical densities of the pure stains in red, green and blue, in units of 1 / kStainUnit; only their ratios matter.
/// Integers, so that values computed from them have the same bits on every device.
struct StainVectors {
  std::array<int, 3> haematoxylin, eosin;
  friend bool operator==(const StainVectors&, const StainVectors&) = default;
};
inline constexpr int kStainUnit = 1000;
/// The vectors of kStainInverse.
inline constexpr StainVectors kDefaultStains = {{650, 704, 286}, {72, 990, 105}};

/// The rows haematoxylin and eosin of the inverse of the stain matrix, in the form of kStainInverse. For kDefaultStains
/// it gives the bits of kStainInverse. The vectors must not be parallel.
inline StainInverse stain_inverse(const StainVectors& stains) {
  using Vector = std::array<double, 3>;
  const auto normalised = [](Vector v) {
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return Vector{v[0] / length, v[1] / length, v[2] / length};
  };
  const auto vector = [&](const std::array<int, 3>& v) {
    return normalised({double(v[0]), double(v[1]), double(v[2])});
  };
  const Vector h = vector(stains.haematoxylin), e = vector(stains.eosin);
  Vector rest{};
  for (std::size_t c = 0; c < 3; ++c) rest[c] = std::sqrt(std::max(0.0, 1 - h[c] * h[c] - e[c] * e[c]));
  rest = normalised(rest);
  const auto cross = [](const Vector& a, const Vector& b) {
    return Vector{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const Vector rows[2] = {cross(e, rest), cross(rest, h)};
  const double determinant = h[0] * rows[0][0] + h[1] * rows[0][1] + h[2] * rows[0][2];
  StainInverse inverse{};
  for (std::size_t stain = 0; stain < 2; ++stain)
    for (std::size_t c = 0; c < 3; ++c)
      inverse[stain][c] = static_cast<std::int64_t>(std::floor(rows[stain][c] / determinant * 65536 + 0.5));
  return inverse;
}

/// As kStainAmountTable, for other stains.
inline StainAmountTable stain_amounts(const StainVectors& stains) { return stain_amounts(stain_inverse(stains)); }

}  // namespace starpath
