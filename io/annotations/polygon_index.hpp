// Which points lie in polygons, and how much of boxes. Pure.
#pragma once
#include <cstddef>
#include <vector>

#include "io/annotations/polygon.hpp"

namespace starpath::io {

enum class Cover { none, part, all };

/// Polygons, asked for points. A point is inside where an odd number of rings surround it: holes are left out, and of a
/// ring that crosses itself what it goes round twice. A point on an edge belongs to one side of it, always the same.
/// Thread-safe.
class PolygonIndex {
 public:
  explicit PolygonIndex(const std::vector<Polygon>& polygons);

  bool contains(double x, double y) const;
  /// How much of a box is inside.
  Cover cover(const Box& box) const;
  const Box& bounds() const { return bounds_; }  // of all; empty (x1 < x0) without polygons
  /// Replaces `crossings` with where a line along y enters and leaves, by x: two an interval.
  void cross_row(double y, std::vector<double>& crossings) const;
  /// Edges that it holds: each once or twice, however long it is.
  std::size_t size() const { return edges_.size(); }

 private:
  struct Edge {
    Vertex from, to;  // from.y <= to.y
  };
  struct Rows {
    int halvings;       // of the number of rows
    std::size_t first;  // in begin_
  };
  std::size_t row_of(double y) const;
  void sort_into_rows(const std::vector<Edge>& edges);
  template <class Test>
  bool any_edge(std::size_t first_row, std::size_t last_row, const Test& test) const;
  template <class Visit>
  void for_each_crossing(double y, const Visit& visit) const;

  Box bounds_;
  std::size_t rows_ = 1;  // before any halving
  double row_height_ = 1;
  std::vector<Edge> edges_;         // by halvings and row
  std::vector<std::size_t> begin_;  // of each row in edges_, and the end
  std::vector<Rows> halved_;        // those with edges
};

}  // namespace starpath::io
