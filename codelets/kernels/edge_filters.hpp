// The filters of the features, all in integers: gradient magnitude, Canny's edge test and Sobel.
#pragma once
#include <array>
#include <cstdint>

namespace starpath {

// Each runs on the 8-bit images haematoxylin, eosin and gray. A position outside the image has the value of the nearest
// pixel inside. None reaches further than kFilterReach from the pixel it answers for.
inline constexpr int kFilterReach = 3;

/// Derivative and smoothing of the 5-tap aperture. dx = derivative along x of the smoothing along y; dy likewise.
inline constexpr std::array<int, 5> kDerivative5 = {-1, -2, 0, 2, 1};
inline constexpr std::array<int, 5> kSmoothing5 = {1, 4, 6, 4, 1};

/// The 7-tap first derivative. Sobel(1, 1) applies it along x and along y. A response > 0 counts: it is not 0 once it
/// is saturated to 8 bits.
inline constexpr std::array<int, 7> kDerivative7 = {-1, -4, -5, 0, 5, 4, 1};

/// Canny: strength m = |dx| + |dy|. A pixel is a candidate when m > kCannyLow and m is a maximum across the edge (see
/// canny_class); strong when also m > canny_high. Edges are the strong pixels and the candidates that a path of
/// candidates, 8-connected and inside the object's nucleus and ring, joins to a strong one.
inline constexpr int kCannyLow = 70;
inline constexpr int kCannyHigh = 90;

enum class CannyClass : std::uint8_t { none = 0, weak = 1, strong = 2 };

/// Round half up of sqrt(gx^2 + gy^2) / 2 for the differences gx = I(x+1, y) - I(x-1, y) and gy = I(x, y+1) - I(x,
/// y-1): the magnitude of the central-difference gradient, 0..180.
constexpr int gradient_magnitude(int gx, int gy) {
  const int squared = gx * gx + gy * gy;
  int m = 0;
  while ((2 * m + 1) * (2 * m + 1) <= squared) ++m;  // m is right when 2m - 1 <= sqrt(squared) < 2m + 1
  return m;
}

/// Strengths of a pixel and its eight neighbours: m[1 + dy][1 + dx].
using CannyStrengths = std::array<std::array<int, 3>, 3>;

/// Class of the pixel with derivatives dx and dy. The direction of the gradient is across (|dy| < tan 22.5 |dx|), along
/// the columns (|dy| > tan 67.5 |dx|) or diagonal, with tan 22.5 = 13573 / 2^15 and tan 67.5 = 2 + tan 22.5. Maximum
/// means: more than the left (upper) neighbour and not less than the right (lower) one; on a diagonal, more than both.
constexpr CannyClass canny_class(const CannyStrengths& m, int dx, int dy) {
  const int centre = m[1][1];
  if (centre <= kCannyLow) return CannyClass::none;
  const int ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
  const int t = ax * 13573;
  bool maximum;
  if ((ay << 15) < t)
    maximum = centre > m[1][0] && centre >= m[1][2];
  else if ((ay << 15) > t + (ax << 16))
    maximum = centre > m[0][1] && centre >= m[2][1];
  else if ((dx < 0) != (dy < 0))
    maximum = centre > m[0][2] && centre > m[2][0];
  else
    maximum = centre > m[0][0] && centre > m[2][2];
  if (!maximum) return CannyClass::none;
  return centre > kCannyHigh ? CannyClass::strong : CannyClass::weak;
}

}  // namespace starpath
