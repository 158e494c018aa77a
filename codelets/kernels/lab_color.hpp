// sRGB to CIE L*a*b* in fixed point, one pixel at a time.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/portable_math.hpp"

namespace starpath {

// Source: IEC 61966-2-1 (sRGB) and CIE 15 (L*a*b*), white D65.
//
//   linear(v) = v / 12.92 up to 0.04045, else ((v + 0.055) / 1.055)^2.4
//   t         = row of white . (linear(r), linear(g), linear(b)): X, Y, Z of the pixel by those of white
//   f(t)      = t^(1/3) above (6/29)^3, else t (29/6)^2 / 3 + 4/29; interpolated between 1025 nodes
//   L = 116 f(y) - 16, a = 500 (f(x) - f(y)), b = 200 (f(y) - f(z))
// Within 0.05 of the real numbers; grays have a = b = 0 exactly.

/// L*, a* and b* in units of 2^-8: L* 0..25600.
struct Lab {
  std::int32_t l, a, b;
  friend bool operator==(const Lab&, const Lab&) = default;
};

inline constexpr int kLabUnit = 256;

/// The tables behind the conversion, as plain arrays so that a device can hold a copy of them. A table outside of it
/// would be the host's: where device code reads one, nvcc compiles a trap, without a word.
struct LabTables {
  std::uint32_t white[3][3];  // sRGB to XYZ, each row divided by white's X, Y or Z; unit 2^-15, each row sums to 2^15
  std::uint32_t linear[256];  // unit 2^-16
  std::int32_t f[1026];       // f(i / 1024), unit 2^-16; the last one repeats, so that interpolation needs no branch
};

inline constexpr LabTables kLabTables = [] {
  LabTables tables{.white = {{14217, 12328, 6223}, {6966, 23436, 2366}, {581, 3587, 28600}}, .linear = {}, .f = {}};
  for (int v = 0; v < 256; ++v) {
    const double s = v / 255.0;
    const double linear = s <= 0.04045 ? s / 12.92 : portable_exp2(2.4 * portable_log2((s + 0.055) / 1.055));
    tables.linear[v] = static_cast<std::uint32_t>(linear * 65536 + 0.5);
  }
  for (int i = 0; i < 1026; ++i) {
    const double t = (i < 1024 ? i : 1024) / 1024.0, edge = 6.0 / 29;
    const double f = t > edge * edge * edge ? portable_exp2(portable_log2(t) / 3) : t / (3 * edge * edge) + 4.0 / 29;
    tables.f[i] = static_cast<std::int32_t>(f * 65536 + 0.5);
  }
  return tables;
}();

/// f of a t given in units of 2^-31 (at most 1); unit 2^-16.
constexpr std::int32_t lab_f(const LabTables& tables, std::uint32_t t) {
  const std::uint32_t node = t >> 21;
  const auto fraction = static_cast<std::int32_t>(t >> 5 & 0xffff);
  return tables.f[node] + ((tables.f[node + 1] - tables.f[node]) * fraction >> 16);
}

/// L*, a* and b* from f of x, y and z.
constexpr Lab lab_of_f(std::int32_t fx, std::int32_t fy, std::int32_t fz) {
  return {(116 * fy - (16 << 16) + 128) >> 8, (500 * (fx - fy) + 128) >> 8, (200 * (fy - fz) + 128) >> 8};
}

constexpr Lab lab_of(const LabTables& tables, Rgb p) {
  const std::uint32_t r = tables.linear[p.r], g = tables.linear[p.g], b = tables.linear[p.b];
  const auto f = [&](const std::uint32_t(&row)[3]) { return lab_f(tables, row[0] * r + row[1] * g + row[2] * b); };
  return lab_of_f(f(tables.white[0]), f(tables.white[1]), f(tables.white[2]));
}

}  // namespace starpath
