// Macenko's method on a histogram of directions.
#include "pipelines/survey/stains.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "pipelines/survey/vectors.hpp"

namespace starpath {
namespace {

constexpr std::int64_t kFewestStainedPixels = 10'000;

/// The middle of a step, in halves of a step: red, green, and the rest for blue.
std::array<std::int64_t, 3> direction_at(std::size_t red, std::size_t green) {
  const auto r = static_cast<std::int64_t>(2 * red + 1), g = static_cast<std::int64_t>(2 * green + 1);
  return {r, g, std::max<std::int64_t>(0, 2 * kDirectionSteps - r - g)};
}

template <class Visit>
void for_each_direction(const Directions& directions, Visit visit) {
  for (std::size_t red = 0; red < directions.size(); ++red)
    for (std::size_t green = 0; green < directions.size(); ++green)
      if (directions[red][green] != 0) visit(direction_at(red, green), directions[red][green]);
}

/// One Jacobi rotation, which makes a[p][q] zero; the columns of v are turned with it.
void rotate(Matrix& a, Matrix& v, std::size_t p, std::size_t q) {
  if (a[p][q] == 0) return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (std::size_t k = 0; k < 3; ++k) {
    const double kp = a[k][p], kq = a[k][q];
    a[k][p] = c * kp - s * kq;
    a[k][q] = s * kp + c * kq;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const double pk = a[p][k], qk = a[q][k];
    a[p][k] = c * pk - s * qk;
    a[q][k] = s * pk + c * qk;
    const double vp = v[k][p], vq = v[k][q];
    v[k][p] = c * vp - s * vq;
    v[k][q] = s * vp + c * vq;
  }
}

/// The two directions in which the second moments are largest; the first points where all densities grow.
std::pair<Vector, Vector> fit_plane(const Directions& directions) {
  std::array<std::array<std::int64_t, 3>, 3> moments{};
  for_each_direction(directions, [&](const std::array<std::int64_t, 3>& at, std::int64_t count) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) moments[i][j] += count * at[i] * at[j];
  });
  Matrix a{}, v{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) a[i][j] = static_cast<double>(moments[i][j]);
    v[i][i] = 1;
  }
  constexpr int sweeps = 12;  // far more than three rows and columns need
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const auto& [p, q] : {std::pair<std::size_t, std::size_t>{0, 1}, {0, 2}, {1, 2}}) rotate(a, v, p, q);
  std::array<std::size_t, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return a[x][x] > a[y][y]; });
  const auto column = [&](std::size_t i) { return Vector{v[0][i], v[1][i], v[2][i]}; };
  Vector first = column(order[0]);
  if (first[0] + first[1] + first[2] < 0)
    for (double& x : first) x = -x;
  return {first, column(order[1])};
}

/// The stain at this slope in the plane.
std::array<int, 3> stain_at(const std::pair<Vector, Vector>& plane, double slope) {
  Vector stain{};
  for (std::size_t i = 0; i < 3; ++i) stain[i] = std::max(0.0, plane.first[i] + slope * plane.second[i]);
  const double length = std::sqrt(dot(stain, stain));
  std::array<int, 3> rounded{};
  for (std::size_t i = 0; i < 3; ++i) rounded[i] = static_cast<int>(std::floor(stain[i] / length * kStainUnit + 0.5));
  return rounded;
}

}  // namespace

std::optional<StainVectors> estimate_stains(const Directions& directions) {
  std::int64_t pixels = 0;
  for_each_direction(directions, [&](const auto&, std::int64_t count) { pixels += count; });
  if (pixels < kFewestStainedPixels) return std::nullopt;
  const auto plane = fit_plane(directions);
  // Slopes instead of angles: their order is the same, as every direction has a positive part along the first.
  std::vector<std::pair<double, std::int64_t>> slopes;
  for_each_direction(directions, [&](const std::array<std::int64_t, 3>& at, std::int64_t count) {
    const Vector d = {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
    slopes.emplace_back(dot(d, plane.second) / dot(d, plane.first), count);
  });
  std::sort(slopes.begin(), slopes.end());
  const auto slope_of = [&](std::int64_t position) {
    std::size_t i = 0;
    for (std::int64_t below = slopes[0].second; below <= position; below += slopes[i].second) ++i;
    return slopes[i].first;
  };
  const std::int64_t hundredth = pixels / 100;
  const auto low = stain_at(plane, slope_of(hundredth)), high = stain_at(plane, slope_of(pixels - 1 - hundredth));
  return low[0] > high[0] ? StainVectors{low, high} : StainVectors{high, low};
}

int likeness(const std::array<int, 3>& a, const std::array<int, 3>& b) {
  const auto product = [](const std::array<int, 3>& x, const std::array<int, 3>& y) {
    return static_cast<double>(x[0] * y[0] + x[1] * y[1] + x[2] * y[2]);
  };
  return static_cast<int>(100 * product(a, b) / std::sqrt(product(a, a) * product(b, b)));
}

DirectionShares share_directions(const Directions& directions) {
  std::int64_t all = 0, neutral = 0, brown = 0, foreign = 0, haematoxylin = 0;
  for_each_direction(directions, [&](const std::array<std::int64_t, 3>& at, std::int64_t count) {
    const auto [low, high] = std::minmax_element(at.begin(), at.end());
    const auto [red, green, blue] = std::tuple(at[0], at[1], at[2]);
    all += count;
    if (4 * *low > 3 * *high)
      neutral += count;
    else if (4 * blue > 5 * green && green >= red)
      brown += count;
    else if (5 * green < 4 * red || 5 * green < 4 * blue)
      foreign += count;
    else if (red > blue)
      haematoxylin += count;
  });
  if (all == 0) return {};
  const auto percent = [&](std::int64_t part) { return static_cast<int>(100 * part / all); };
  return {all, percent(neutral), percent(brown), percent(foreign), percent(haematoxylin)};
}

}  // namespace starpath
