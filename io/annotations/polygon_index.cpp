// Edges by rows, so that a point is compared with few of them. A long edge lies in rows that are as tall as the edge:
// it is in two rows at most. The memory grows with the number of edges, not with the rows that they cross.
#include "io/annotations/polygon_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/annotations/side_of_line.hpp"

namespace starpath::io {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Visit>
void for_each_ring(const Polygon& polygon, const Visit& visit) {
  visit(polygon.outline);
  for (const Ring& hole : polygon.holes) visit(hole);
}

/// Whether some of the segment lies in the box (Liang, Barsky 1984).
bool meets(Vertex a, Vertex b, const Box& box) {
  double begin = 0, end = 1;
  const auto clip = [&](double start, double step, double low, double high) {
    if (step == 0) return start >= low && start <= high;
    double enters = (low - start) / step, leaves = (high - start) / step;
    if (enters > leaves) std::swap(enters, leaves);
    begin = std::max(begin, enters);
    end = std::min(end, leaves);
    return begin <= end;
  };
  return clip(a.x, b.x - a.x, box.x0, box.x1) && clip(a.y, b.y - a.y, box.y0, box.y1);
}

}  // namespace

PolygonIndex::PolygonIndex(const std::vector<Polygon>& polygons)
    : bounds_{kInfinity, kInfinity, -kInfinity, -kInfinity} {
  std::vector<Edge> edges;
  for (const Polygon& polygon : polygons)
    for_each_ring(polygon, [&](const Ring& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vertex a = ring[i], b = ring[(i + 1) % ring.size()];
        bounds_ = {std::min(bounds_.x0, a.x), std::min(bounds_.y0, a.y), std::max(bounds_.x1, a.x),
                   std::max(bounds_.y1, a.y)};
        edges.push_back(a.y <= b.y ? Edge{a, b} : Edge{b, a});
      }
    });
  rows_ = std::max<std::size_t>(1, edges.size() / 4);
  if (!edges.empty()) row_height_ = (bounds_.y1 - bounds_.y0) / static_cast<double>(rows_);
  sort_into_rows(edges);
}

std::size_t PolygonIndex::row_of(double y) const {
  const double row = std::floor((y - bounds_.y0) / row_height_), last = static_cast<double>(rows_ - 1);
  return row > 0 ? static_cast<std::size_t>(std::min(row, last)) : 0;  // NaN: all lies on a line
}

void PolygonIndex::sort_into_rows(const std::vector<Edge>& edges) {
  std::vector<Rows> halved = {{0, 0}};
  std::size_t end = rows_;  // in begin_
  for (int halvings = 1; (rows_ - 1) >> (halvings - 1) > 1; ++halvings) {
    halved.push_back({halvings, end});
    end += ((rows_ - 1) >> halvings) + 1;
  }
  const auto for_each_row = [&](const Edge& edge, const auto& visit) {
    std::size_t from = row_of(edge.from.y), to = row_of(edge.to.y);
    auto rows = halved.begin();
    for (; to - from > 1; ++rows) from >>= 1U, to >>= 1U;
    for (; from <= to; ++from) visit(rows->first + from);
  };
  begin_.assign(end + 1, 0);
  for (const Edge& edge : edges) for_each_row(edge, [&](std::size_t row) { ++begin_[row + 1]; });
  for (std::size_t row = 0; row < end; ++row) begin_[row + 1] += begin_[row];
  edges_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges) for_each_row(edge, [&](std::size_t row) { edges_[next[row]++] = edge; });
  for (const Rows& rows : halved) {
    const std::size_t last = rows.first + ((rows_ - 1) >> rows.halvings);
    if (begin_[rows.first] < begin_[last + 1]) halved_.push_back(rows);
  }
}

/// Whether `test` holds for an edge in these rows, or in a halved one with some of them. An edge in two rows is tested
/// twice.
template <class Test>
bool PolygonIndex::any_edge(std::size_t first_row, std::size_t last_row, const Test& test) const {
  for (const Rows& rows : halved_) {
    const std::size_t begin = begin_[rows.first + (first_row >> rows.halvings)],
                      end = begin_[rows.first + (last_row >> rows.halvings) + 1];
    for (std::size_t i = begin; i < end; ++i)
      if (test(edges_[i])) return true;
  }
  return false;
}

/// Visits the edges that a line along y crosses.
template <class Visit>
void PolygonIndex::for_each_crossing(double y, const Visit& visit) const {
  const std::size_t row = row_of(y);
  any_edge(row, row, [&](const Edge& edge) {
    if (edge.from.y <= y && y < edge.to.y) visit(edge);
    return false;
  });
}

bool PolygonIndex::contains(double x, double y) const {
  if (!(x >= bounds_.x0 && x <= bounds_.x1 && y >= bounds_.y0 && y <= bounds_.y1)) return false;
  bool inside = false;
  for_each_crossing(y, [&](const Edge& edge) {
    if (side(edge.from, edge.to, {x, y}) > 0) inside = !inside;
  });
  return inside;
}

void PolygonIndex::cross_row(double y, std::vector<double>& crossings) const {
  crossings.clear();
  if (!(y >= bounds_.y0 && y <= bounds_.y1)) return;
  for_each_crossing(y, [&](const Edge& edge) {
    crossings.push_back(edge.from.x + (y - edge.from.y) / (edge.to.y - edge.from.y) * (edge.to.x - edge.from.x));
  });
  std::ranges::sort(crossings);
}

Cover PolygonIndex::cover(const Box& box) const {
  if (!(box.x0 <= bounds_.x1 && bounds_.x0 <= box.x1 && box.y0 <= bounds_.y1 && bounds_.y0 <= box.y1))
    return Cover::none;
  const auto meets_box = [&](const Edge& edge) { return meets(edge.from, edge.to, box); };
  if (any_edge(row_of(box.y0), row_of(box.y1), meets_box)) return Cover::part;
  return contains((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2) ? Cover::all : Cover::none;
}

}  // namespace starpath::io
