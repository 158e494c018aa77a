// The regions that a run is asked for, and those that it is to leave out. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/annotations/box_tree.hpp"
#include "io/annotations/polygon_index.hpp"

namespace starpath::io {

/// Level-0 pixels.
struct Region {
  std::string name, class_name;  // no two regions of a map share a name; an empty class: none
  std::vector<Polygon> polygons;
};

/// Thread-safe.
class RegionMap {
 public:
  /// Without `regions` all that is not excluded is wanted, as one region without a name.
  RegionMap(std::vector<Region> regions, std::vector<Region> excluded);

  const std::vector<Region>& regions() const { return regions_; }
  const std::vector<Region>& excluded() const { return excluded_; }

  /// The number, from 0, of the region that holds the point: of several the one with the smallest area, as the
  /// innermost annotation has an object in QuPath, then the first. -1 when none does, or an excluded one does too.
  int region_of(double x, double y) const;
  /// Whether a point in the box may have a region.
  bool wants(const Box& box) const;
  /// The smallest box around all regions; the slide's without regions.
  Box bounds(const Box& slide) const;
  /// Area of the points that each region has, square level-0 pixels: without what is excluded or a smaller region's.
  /// Within the slide; measured along rows `step` pixels apart.
  std::vector<double> areas(const Box& slide, double step = 1) const;

 private:
  /// In an order, with what finds those that may hold a point.
  struct Indexed {
    explicit Indexed(std::vector<PolygonIndex> each);

    std::vector<PolygonIndex> polygons;
    BoxTree boxes;
  };

  std::vector<Region> regions_, excluded_;
  std::vector<std::size_t> by_area_;  // regions, the smallest first
  Indexed smallest_first_, left_out_;
};

}  // namespace starpath::io
