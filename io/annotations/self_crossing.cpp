// Edges whose boxes meet, found by an R-tree of all edges.
#include "io/annotations/self_crossing.hpp"

#define BOOST_ALLOW_DEPRECATED_HEADERS  // Boost.Geometry 1.83 includes one and says so
#include <algorithm>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cstddef>
#include <utility>

#include "io/annotations/side_of_line.hpp"

namespace starpath::io {
namespace {

namespace geometry = boost::geometry;

using EdgeBox = geometry::model::box<geometry::model::point<double, 2, geometry::cs::cartesian>>;
using BoxedEdge = std::pair<EdgeBox, std::pair<Vertex, Vertex>>;

void append_edges(const Ring& ring, std::vector<BoxedEdge>& edges) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vertex a = ring[i], b = ring[(i + 1) % ring.size()];
    const auto [left, right] = std::minmax(a.x, b.x);
    const auto [top, bottom] = std::minmax(a.y, b.y);
    edges.push_back({{{left, top}, {right, bottom}}, {a, b}});
  }
}

bool are_apart(double side, double other) { return (side > 0 && other < 0) || (side < 0 && other > 0); }

bool cross(const BoxedEdge& edge, const BoxedEdge& other) {
  const auto [a, b] = edge.second;
  const auto [c, d] = other.second;
  return are_apart(side(a, b, c), side(a, b, d)) && are_apart(side(c, d, a), side(c, d, b));
}

}  // namespace

bool crosses_itself(const std::vector<Polygon>& polygons) {
  std::vector<BoxedEdge> edges;
  for (const Polygon& polygon : polygons) {
    append_edges(polygon.outline, edges);
    for (const Ring& hole : polygon.holes) append_edges(hole, edges);
  }
  const geometry::index::rtree<BoxedEdge, geometry::index::linear<16>> tree(edges);
  return std::ranges::any_of(edges, [&](const BoxedEdge& edge) {
    const auto crosses = geometry::index::satisfies([&](const BoxedEdge& other) { return cross(edge, other); });
    return tree.qbegin(geometry::index::intersects(edge.first) && crosses) != tree.qend();
  });
}

}  // namespace starpath::io
