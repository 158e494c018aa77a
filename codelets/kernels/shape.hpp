// Shape of one object from integer sums over its pixels.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "codelets/kernels/host_device.hpp"

namespace starpath {

/// Coordinates count from any fixed pixel of the image near the object, its box's corner for example: the result is the
/// same. A quad is a 2x2 window of the mask; windows reach over the image's border, beyond which nothing is set.
struct ShapeSums {
  std::int64_t area;
  std::int64_t sum_x, sum_y, sum_xx, sum_xy, sum_yy;
  std::int64_t quads_one, quads_side, quads_diagonal,
      quads_three;  // quads with 1, 2 adjacent, 2 diagonal, 3 pixels set
  std::int32_t box_width, box_height;
};

struct Shape {
  double area, perimeter, major_axis, minor_axis, eccentricity, extent, circularity, equivalent_diameter;
};

namespace detail {

/// sum (u - u0)(v - v0) / n for the means u0 and v0; sums are moved close to the means in integers first.
STARPATH_HD inline double covariance(std::int64_t n, std::int64_t u, std::int64_t v, std::int64_t uv) {
  const std::int64_t u0 = u / n, v0 = v / n;
  const auto count = static_cast<double>(n);
  const auto du = static_cast<double>(u - n * u0), dv = static_cast<double>(v - n * v0);
  return static_cast<double>(uv - u0 * v - v0 * u + n * u0 * v0) / count - du / count * (dv / count);
}

}  // namespace detail

/// area >= 1. Perimeter: quads with 1 or 3 pixels weigh sqrt(1/2), with 2 adjacent 1, with 2 diagonal sqrt(2).
/// Axes: of the ellipse with the object's second moments, a pixel counted as a unit square.
STARPATH_HD inline Shape shape_of(const ShapeSums& s) {
  constexpr double pi = 3.141592653589793;
  constexpr double sqrt_half = 0.7071067811865476;
  constexpr double sqrt2 = 1.4142135623730951;
  const auto area = static_cast<double>(s.area);
  const double mxx = detail::covariance(s.area, s.sum_x, s.sum_x, s.sum_xx) + 1.0 / 12;
  const double myy = detail::covariance(s.area, s.sum_y, s.sum_y, s.sum_yy) + 1.0 / 12;
  const double mxy = detail::covariance(s.area, s.sum_x, s.sum_y, s.sum_xy);
  const double root = std::sqrt((mxx - myy) * (mxx - myy) + 4 * mxy * mxy);

  Shape r{};
  r.area = area;
  r.perimeter = static_cast<double>(s.quads_one + s.quads_three) * sqrt_half + static_cast<double>(s.quads_side) +
                static_cast<double>(s.quads_diagonal) * sqrt2;
  r.major_axis = 2 * sqrt2 * std::sqrt(mxx + myy + root);
  r.minor_axis = 2 * sqrt2 * std::sqrt(std::max(0.0, mxx + myy - root));
  const double ratio = r.minor_axis / r.major_axis;
  r.eccentricity = std::sqrt(std::max(0.0, 1 - ratio * ratio));
  r.extent = area / (static_cast<double>(s.box_width) * static_cast<double>(s.box_height));
  r.circularity = 4 * pi * area / (r.perimeter * r.perimeter);
  r.equivalent_diameter = std::sqrt(4 * area / pi);
  return r;
}

}  // namespace starpath
