// Which points lie in polygons, and how much of boxes. Pure.
#pragma once
#include <cstddef>
#include <span>
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

 private:
  struct Edge {
    Vertex from, to;  // from.y <= to.y
  };
  std::size_t row_of(double y) const;
  std::span<const Edge> edges_in(std::size_t row) const;

  Box bounds_;
  double row_height_ = 1;
  std::vector<Edge> edges_;         // by row; one that crosses several rows is in each
  std::vector<std::size_t> begin_;  // of each row in edges_, and the end
};

/// Whether a ring of the polygons crosses itself or another one. Rings may touch.
bool crosses_itself(const std::vector<Polygon>& polygons);

}  // namespace starpath::io
