// Filters written as loops over consecutive pixels in 16-bit integers, for the compiler to vectorise.
#include "codelets/cpu/feature_filters.hpp"

#include <cmath>

#include "codelets/kernels/edge_filters.hpp"

namespace starpath::cpu {
namespace {

using Index = std::ptrdiff_t;

std::int16_t narrow(int v) { return static_cast<std::int16_t>(v); }

/// 5-tap derivatives of the channel and their strength.
void derivatives(const std::uint8_t* __restrict p, const PatchFrame& f, EdgePlanes& planes) {
  const Index s = f.width, begin = f.begin(2), end = f.end(2);
  std::int16_t* __restrict smooth = planes.smooth;
  std::int16_t* __restrict slope = planes.slope;
  for (Index i = begin; i < end; ++i) {
    const int a = p[i - 2 * s], b = p[i - s], c = p[i], d = p[i + s], e = p[i + 2 * s];
    smooth[i] = narrow(a + e + 4 * (b + d) + 6 * c);
    slope[i] = narrow(e - a + 2 * (d - b));
  }
  std::int16_t* __restrict dx = planes.dx;
  std::int16_t* __restrict dy = planes.dy;
  std::int16_t* __restrict strength = planes.strength;
  for (Index i = begin; i < end; ++i) {
    const std::int16_t u = narrow(smooth[i + 2] - smooth[i - 2] + 2 * (smooth[i + 1] - smooth[i - 1]));
    const std::int16_t v = narrow(slope[i - 2] + slope[i + 2] + 4 * (slope[i - 1] + slope[i + 1]) + 6 * slope[i]);
    dx[i] = u;
    dy[i] = v;
    strength[i] = narrow((u < 0 ? -u : u) + (v < 0 ? -v : v));
  }
}

/// canny_class of each pixel. With t = floor(|dx| tan 22.5), an odd multiple of |dx| / 2^15 that is no integer, its two
/// comparisons become |dy| <= t and |dy| - 2 |dx| > t, which fit 16 bits.
void canny_classes(const EdgePlanes& planes, const PatchFrame& f, std::uint8_t* __restrict out) {
  const Index s = f.width;
  const std::int16_t* __restrict m = planes.strength;
  const std::int16_t* __restrict dx = planes.dx;
  const std::int16_t* __restrict dy = planes.dy;
  for (Index i = f.begin(kFilterReach); i < f.end(kFilterReach); ++i) {
    const std::int16_t ax = narrow(dx[i] < 0 ? -dx[i] : dx[i]), ay = narrow(dy[i] < 0 ? -dy[i] : dy[i]);
    const std::int16_t t = narrow(narrow(2 * ax) * 13573 >> 16);
    const bool across = ay <= t, along = narrow(ay - 2 * ax) > t, rising = narrow(dx[i] ^ dy[i]) < 0;
    const std::int16_t left = m[i - 1], right = m[i + 1], up = m[i - s], down = m[i + s];
    const std::int16_t up_left = m[i - s - 1], up_right = m[i - s + 1], down_left = m[i + s - 1],
                       down_right = m[i + s + 1];
    std::int16_t before = rising ? up_right : up_left;                   // the centre must be more than this one
    std::int16_t after = narrow((rising ? down_left : down_right) + 1);  // and not less than this one
    before = along ? up : before;
    after = along ? down : after;
    before = across ? left : before;
    after = across ? right : after;
    const std::int16_t level = narrow((m[i] > kCannyLow) + (m[i] > kCannyHigh));
    out[i] = static_cast<std::uint8_t>(m[i] > before && m[i] >= after ? level : std::int16_t{0});
  }
}

void sobel_signs(const std::uint8_t* __restrict p, const PatchFrame& f, std::int16_t* __restrict slope,
                 std::uint8_t* __restrict out) {
  const Index s = f.width, begin = f.begin(kFilterReach), end = f.end(kFilterReach);
  for (Index i = begin; i < end; ++i)
    slope[i] = narrow(p[i + 3 * s] - p[i - 3 * s] + 4 * (p[i + 2 * s] - p[i - 2 * s]) + 5 * (p[i + s] - p[i - s]));
  for (Index i = begin; i < end; ++i) {
    const std::int16_t a = narrow(5 * (slope[i + 1] - slope[i - 1]));
    const std::int16_t b = narrow(4 * (slope[i + 2] - slope[i - 2]) + slope[i + 3] - slope[i - 3]);
    out[i] = a > narrow(-b) ? 1 : 0;  // a + b may need 17 bits
  }
}

}  // namespace

void gradient_magnitudes(const PatchFrame& frame, const std::uint8_t* channel, std::uint8_t* out) {
  const std::uint8_t* __restrict p = channel;
  std::uint8_t* __restrict magnitudes = out;
  const Index stride = frame.width, end = frame.end(kFilterReach);
  for (Index i = frame.begin(kFilterReach); i < end; ++i) {
    const int gx = p[i + 1] - p[i - 1], gy = p[i + stride] - p[i - stride];
    // Exact: below 2^18 no root that is not itself an odd integer comes as close to one as a float rounds.
    magnitudes[i] = static_cast<std::uint8_t>(std::sqrt(static_cast<float>(gx * gx + gy * gy)) * 0.5F + 0.5F);
  }
}

EdgePlanes::EdgePlanes(Scratch& scratch, std::size_t largest) {
  for (auto* plane : {&canny, &sobel}) *plane = take_plane<std::uint8_t>(scratch, largest);
  for (auto* plane : {&smooth, &slope, &dx, &dy, &strength}) *plane = take_plane<std::int16_t>(scratch, largest);
}

void find_edges(const PatchFrame& frame, const std::uint8_t* channel, EdgePlanes& planes) {
  derivatives(channel, frame, planes);
  canny_classes(planes, frame, planes.canny);
  sobel_signs(channel, frame, planes.slope, planes.sobel);
}

}  // namespace starpath::cpu
