// Polygons of any outline against what they mean, edge by edge.
#include "io/annotations/polygon_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace starpath::io {
namespace {

/// The definition: every edge, lower end first.
class EveryEdge {
 public:
  explicit EveryEdge(const std::vector<Polygon>& polygons) {
    for (const Polygon& polygon : polygons) {
      add(polygon.outline);
      for (const Ring& hole : polygon.holes) add(hole);
    }
  }

  bool contains(double x, double y) const {
    int crossed = 0;
    for (const auto& [a, b] : edges_)
      crossed += a.y <= y && y < b.y && (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0;
    return crossed % 2 == 1;
  }
  std::vector<double> cross_row(double y) const {
    std::vector<double> crossings;
    for (const auto& [a, b] : edges_)
      if (a.y <= y && y < b.y) crossings.push_back(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x));
    std::ranges::sort(crossings);
    return crossings;
  }
  Cover cover(const Box& box) const {
    for (const auto& [a, b] : edges_)
      if (meets(a, b, box)) return Cover::part;
    return contains((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2) ? Cover::all : Cover::none;
  }
  std::size_t size() const { return edges_.size(); }

 private:
  void add(const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vertex a = ring[i], b = ring[(i + 1) % ring.size()];
      edges_.emplace_back(a.y <= b.y ? std::pair(a, b) : std::pair(b, a));
    }
  }
  /// No line parts them: none along an axis, and not that of the segment.
  static bool meets(Vertex a, Vertex b, const Box& box) {
    if (std::max(a.x, b.x) < box.x0 || std::min(a.x, b.x) > box.x1 || b.y < box.y0 || a.y > box.y1) return false;
    const auto side = [&](double x, double y) { return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x); };
    const auto [least, most] =
        std::minmax({side(box.x0, box.y0), side(box.x0, box.y1), side(box.x1, box.y0), side(box.x1, box.y1)});
    return least <= 0 && most >= 0;
  }

  std::vector<std::pair<Vertex, Vertex>> edges_;
};

/// So many vertices around a point; `roughness` 0: a circle, 1: from the centre to the radius.
Ring ring_around(Vertex centre, double radius, int vertices, double roughness, std::mt19937& random) {
  std::uniform_real_distribution<double> share(1 - roughness, 1);
  Ring ring;
  for (int i = 0; i < vertices; ++i) {
    const double angle = 2 * std::numbers::pi * i / vertices, r = radius * share(random);
    ring.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
  }
  return ring;
}

/// Up and down all of a square.
Ring zigzag(int vertices) {
  Ring ring;
  for (int i = 0; i < vertices; ++i) ring.push_back({1 + 1998.0 * i / vertices, i % 2 == 0 ? 1999.0 : 1.0});
  ring.push_back({2000, 0});
  return ring;
}

void expect_agrees(const std::vector<Polygon>& polygons, std::mt19937& random) {
  const PolygonIndex index(polygons);
  const EveryEdge all(polygons);
  const Box bounds = index.bounds();
  std::uniform_real_distribution<double> share(-0.1, 1.1);
  const auto x = [&] { return std::lerp(bounds.x0, bounds.x1, share(random)); };
  const auto y = [&] { return std::lerp(bounds.y0, bounds.y1, share(random)); };
  const auto agrees_at = [&](double px, double py) {
    ASSERT_EQ(index.contains(px, py), all.contains(px, py)) << px << " " << py;
    std::vector<double> crossings;
    index.cross_row(py, crossings);
    ASSERT_EQ(crossings, all.cross_row(py)) << py;
  };
  for (int i = 0; i < 100; ++i) {
    agrees_at(x(), y());
    const auto [x0, x1] = std::minmax({x(), x()});
    const auto [y0, y1] = std::minmax({y(), y()});
    const double part = i % 2 == 0 ? 1 : 0.05;  // small boxes too
    const Box box{x0, y0, x0 + part * (x1 - x0), y0 + part * (y1 - y0)};
    ASSERT_EQ(index.cover(box), all.cover(box)) << box.x0 << " " << box.y0 << " " << box.x1 << " " << box.y1;
  }
  for (const Polygon& polygon : polygons)
    for (std::size_t i = 0; i < polygon.outline.size(); i += 7) agrees_at(polygon.outline[i].x, polygon.outline[i].y);
}

TEST(PolygonIndex, AgreesWithEveryEdgeOfPolygonsWithHoles) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> vertices(3, 400), holes(0, 3);
  std::uniform_real_distribution<double> place(0, 1000), size(1, 900), roughness(0, 1);
  for (int round = 0; round < 60; ++round) {
    std::vector<Polygon> polygons(1 + static_cast<std::size_t>(round % 3));
    for (Polygon& polygon : polygons) {
      const Vertex centre{place(random), place(random)};
      const double radius = size(random);
      polygon.outline = ring_around(centre, radius, vertices(random), roughness(random), random);
      for (int hole = holes(random); hole > 0; --hole)
        polygon.holes.push_back(ring_around(centre, radius / (2 + hole), vertices(random), 0.3, random));
    }
    expect_agrees(polygons, random);
  }
}

TEST(PolygonIndex, AgreesWithEveryEdgeWhereLongAndShortEdgesMeet) {
  std::mt19937 random(12);
  expect_agrees({{zigzag(3000), {}}}, random);
  expect_agrees({{zigzag(1000), {ring_around({1000, 1000}, 300, 3000, 0.1, random)}}}, random);
  expect_agrees({{{{0, 0}, {100, 0}, {50, 0}, {50, 1e-9}, {100, 5}, {0, 5}}, {}}}, random);
}

// Of edges that all cross the whole height, copies in each of the rows between need memory by the square of the
// outline.
TEST(PolygonIndex, HoldsALongEdgeAsOftenAsAShortOne) {
  std::mt19937 random(13);
  for (const int vertices : {100, 1600}) {
    for (const Ring& ring : {zigzag(vertices), ring_around({500, 500}, 500, vertices, 0.9, random)})
      EXPECT_LE(PolygonIndex({{ring, {}}}).size(), 2 * EveryEdge({{ring, {}}}).size()) << vertices;
  }
}

}  // namespace
}  // namespace starpath::io
