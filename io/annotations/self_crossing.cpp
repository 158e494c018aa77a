// Edges whose boxes touch.
#include "io/annotations/self_crossing.hpp"

#include <algorithm>
#include <cstddef>

#include "io/annotations/box_tree.hpp"
#include "io/annotations/side_of_line.hpp"

namespace starpath::io {
namespace {

struct Edge {
  Vertex from, to;
};

void append_edges(const Ring& ring, std::vector<Edge>& edges) {
  for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[(i + 1) % ring.size()]});
}

Box box_of(const Edge& edge) {
  const auto [left, right] = std::minmax(edge.from.x, edge.to.x);
  const auto [top, bottom] = std::minmax(edge.from.y, edge.to.y);
  return {left, top, right, bottom};
}

bool are_apart(double side, double other) { return (side > 0 && other < 0) || (side < 0 && other > 0); }

bool cross(const Edge& edge, const Edge& other) {
  const auto [a, b] = edge;
  const auto [c, d] = other;
  return are_apart(side(a, b, c), side(a, b, d)) && are_apart(side(c, d, a), side(c, d, b));
}

}  // namespace

bool crosses_itself(const std::vector<Polygon>& polygons) {
  std::vector<Edge> edges;
  for (const Polygon& polygon : polygons) {
    append_edges(polygon.outline, edges);
    for (const Ring& hole : polygon.holes) append_edges(hole, edges);
  }
  std::vector<Box> boxes;
  for (const Edge& edge : edges) boxes.push_back(box_of(edge));
  const BoxTree tree(boxes);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    tree.touching(boxes[i], others);
    if (std::ranges::any_of(others, [&](std::size_t j) { return cross(edges[i], edges[j]); })) return true;
  }
  return false;
}

}  // namespace starpath::io
