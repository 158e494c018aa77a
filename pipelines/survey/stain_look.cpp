// Amounts of stains, and maps between looks.
#include "pipelines/survey/stain_look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "pipelines/survey/vectors.hpp"

namespace starpath {
namespace {

Vector scaled(const Vector& v, double by) { return {v[0] * by, v[1] * by, v[2] * by}; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Haematoxylin, eosin, and the rest: their directions, each of length 1, as rows. The third stands on the other two,
/// so that noise across their plane does not grow.
Matrix directions_of(const StainVectors& stains) {
  const auto unit = [](const Vector& v) { return scaled(v, 1 / std::sqrt(dot(v, v))); };
  const auto direction = [&](const std::array<int, 3>& v) {
    return unit({static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])});
  };
  const Vector h = direction(stains.haematoxylin), e = direction(stains.eosin);
  return {h, e, unit(cross(h, e))};
}

/// Rows that give the amounts of the three directions in a density.
Matrix inverse_of(const Matrix& directions) {
  const auto& [a, b, c] = directions;
  const double determinant = dot(a, cross(b, c));
  return {scaled(cross(b, c), 1 / determinant), scaled(cross(c, a), 1 / determinant),
          scaled(cross(a, b), 1 / determinant)};
}

constexpr double kUnit = 65536;  // of kDensityTable

double density(int value) { return static_cast<double>(kDensityTable[static_cast<std::size_t>(value)]) / kUnit; }

std::array<int, 3> channels(Rgb colour) { return {colour.r, colour.g, colour.b}; }

int rounded(double value) { return static_cast<int>(std::floor(value + 0.5)); }

}  // namespace

StainAmounts stain_amounts_of(Rgb colour, Rgb white, const StainVectors& stains) {
  Vector below{};
  for (std::size_t c = 0; c < 3; ++c) below[c] = density(channels(colour)[c]) - density(channels(white)[c]);
  const Matrix amounts = inverse_of(directions_of(stains));
  constexpr int unit = 16;
  return {rounded(unit * dot(amounts[0], below)), rounded(unit * dot(amounts[1], below))};
}

ColourMap colour_map(const StainLook& from, const StainLook& to) {
  static constexpr double most_change = 4, most_entry = (1 << 27) - 1;
  const auto change = [](int before, int after) {
    return std::clamp(static_cast<double>(after) / before, 1 / most_change, most_change);
  };
  const Vector strength = {change(from.haematoxylin, to.haematoxylin), change(from.eosin, to.eosin), 1};
  const Matrix amounts = inverse_of(directions_of(from.stains)), stains = directions_of(to.stains);
  ColourMap map{};
  for (std::size_t out = 0; out < 3; ++out)
    for (std::size_t in = 0; in < 3; ++in) {
      double weight = 0;
      for (std::size_t k = 0; k < 3; ++k) weight += stains[k][out] * strength[k] * amounts[k][in];
      // White becomes white: the white of the reference is put into one of the three entries that are summed.
      const double glass = in == out ? density(channels(to.white)[out]) : 0;
      for (int v = 0; v < 256; ++v) {
        const double entry = kUnit * (weight * (density(v) - density(channels(from.white)[in])) + glass);
        map[out][in][static_cast<std::size_t>(v)] = rounded(std::clamp(entry, -most_entry, most_entry));
      }
    }
  return map;
}

}  // namespace starpath
