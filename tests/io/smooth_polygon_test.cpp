// Smooth outlines: the same pixels, near the outline, simple, and fewer vertices.
#include "io/outlines/smooth_polygon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/io/random_blobs.hpp"

namespace starpath::io {
namespace {

/// Runs of the pixels whose centres lie inside, by the even-odd rule; exact, in half pixels.
std::vector<PixelRun> runs_inside(const std::vector<Point>& polygon, int width, int height) {
  std::vector<PixelRun> runs;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::int64_t px = 2 * x + 1, py = 2 * y + 1;
      bool odd = false;
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        if ((a.y > py) == (b.y > py)) continue;
        // Right of the ray's start: px < a.x + (py - a.y) * (b.x - a.x) / (b.y - a.y).
        const std::int64_t rise = b.y - a.y, side = (px - a.x) * rise - (py - a.y) * (b.x - a.x);
        EXPECT_NE(side, 0) << "the outline passes through a centre";
        if ((side < 0) == (rise > 0)) odd = !odd;
      }
      if (!odd) continue;
      if (!runs.empty() && runs.back().y == y && runs.back().x1 == x)
        ++runs.back().x1;
      else
        runs.push_back({y, x, x + 1});
    }
  return runs;
}

std::int64_t turn(Point a, Point b, Point c) {
  return std::int64_t{b.x - a.x} * (c.y - a.y) - std::int64_t{b.y - a.y} * (c.x - a.x);
}

bool on_leg(Point a, Point b, Point p) {
  return turn(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

bool legs_meet(Point a, Point b, Point c, Point d) {
  const auto sign = [](std::int64_t v) { return (v > 0) - (v < 0); };
  if (sign(turn(a, b, c)) * sign(turn(a, b, d)) < 0 && sign(turn(c, d, a)) * sign(turn(c, d, b)) < 0) return true;
  return on_leg(a, b, c) || on_leg(a, b, d) || on_leg(c, d, a) || on_leg(c, d, b);
}

void expect_simple(const std::vector<Point>& polygon) {
  ASSERT_GE(polygon.size(), 3u);
  for (std::size_t i = 0; i < polygon.size(); ++i)
    for (std::size_t j = i + 2; j < polygon.size(); ++j) {
      if (i == 0 && j + 1 == polygon.size()) continue;  // neighbours
      EXPECT_FALSE(legs_meet(polygon[i], polygon[i + 1], polygon[j], polygon[(j + 1) % polygon.size()]))
          << "legs " << i << " and " << j;
    }
}

double distance(Point a, Point b, double x, double y) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double t = std::clamp(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(x - a.x - t * dx, y - a.y - t * dy);
}

/// Of the middles of the outline's pixel edges, how far the farthest is from the polygon, in pixels.
double farthest(const Contour& contour, const std::vector<Point>& polygon) {
  double worst = 0;
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Point a = contour[i], b = contour[(i + 1) % contour.size()];
    const int length = std::abs(b.x - a.x) + std::abs(b.y - a.y);
    for (int k = 0; k < length; ++k) {
      const double at = (k + 0.5) / length, x = 2 * (a.x + at * (b.x - a.x)), y = 2 * (a.y + at * (b.y - a.y));
      double nearest = 1e9;
      for (std::size_t j = 0; j < polygon.size(); ++j)
        nearest = std::min(nearest, distance(polygon[j], polygon[(j + 1) % polygon.size()], x, y));
      worst = std::max(worst, nearest / 2);
    }
  }
  return worst;
}

/// Checks one object of the image; returns the vertices of the contour and of the polygon.
std::pair<std::size_t, std::size_t> check(const testing::LabelImage& image, std::int32_t label, int x, int y) {
  const Contour contour = trace_contour(image.view(), label, x, y);
  const std::vector<Point> polygon = smooth_polygon(contour);
  EXPECT_EQ(runs_inside(polygon, image.width, image.height), pixel_runs(contour));
  expect_simple(polygon);
  EXPECT_LE(farthest(contour, polygon), 0.5);
  return {contour.size(), polygon.size()};
}

TEST(SmoothPolygon, OfOnePixelIsADiamond) {
  EXPECT_EQ(smooth_polygon({{3, 4}, {4, 4}, {4, 5}, {3, 5}}), (std::vector<Point>{{7, 8}, {8, 9}, {7, 10}, {6, 9}}));
}

TEST(SmoothPolygon, HoldsThePixelsOfRandomObjectsAndIsNearTheirOutline) {
  std::size_t objects = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const testing::LabelImage image = testing::random_blobs(5 + static_cast<int>(seed % 40), 37, 20 + seed % 50, seed);
    for (std::int32_t label = 1; label <= image.count; ++label, ++objects) {
      const auto [x, y] = image.first[static_cast<std::size_t>(label - 1)];
      const auto [before, after] = check(image, label, x, y);
      EXPECT_LE(after, before) << "label " << label;
    }
  }
  EXPECT_GT(objects, 1000u);
}

TEST(SmoothPolygon, TakesAHoleByItsOwnOutline) {
  testing::LabelImage image(9, 9);  // the hole, and a pixel of it across a corner
  for (const auto& [x, y] : {std::pair{3, 3}, {4, 3}, {3, 4}, {4, 4}, {5, 5}, {5, 6}}) image.at(x, y) = 1;
  check(image, 1, 3, 3);
}

TEST(SmoothPolygon, ADiscHasLessThanHalfTheVertices) {
  testing::LabelImage image(64, 64);
  std::pair<int, int> first{-1, -1};
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      if (std::hypot(x - 31.7, y - 32.2) < 25) {
        image.at(x, y) = 1;
        if (first.first < 0) first = {x, y};
      }
  const auto [before, after] = check(image, 1, first.first, first.second);
  EXPECT_GT(before, 100u);
  EXPECT_LT(2 * after, before);
}

}  // namespace
}  // namespace starpath::io
