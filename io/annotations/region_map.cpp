// Regions, the innermost first.
#include "io/annotations/region_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace starpath::io {
namespace {

double area_of(const Region& region) {
  double sum = 0;
  for (const Polygon& polygon : region.polygons) sum += area(polygon);
  return sum;
}

std::vector<std::size_t> by_area(const std::vector<Region>& regions) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> area;
  for (const Region& region : regions) area.push_back(area_of(region));
  std::ranges::stable_sort(order, {}, [&](std::size_t region) { return area[region]; });
  return order;
}

std::vector<PolygonIndex> indexes_of(const std::vector<Region>& regions) {
  std::vector<PolygonIndex> indexes;
  for (const Region& region : regions) indexes.emplace_back(region.polygons);
  return indexes;
}

std::vector<PolygonIndex> in_order(std::vector<PolygonIndex> indexes, const std::vector<std::size_t>& order) {
  std::vector<PolygonIndex> ordered;
  for (const std::size_t number : order) ordered.push_back(std::move(indexes[number]));
  return ordered;
}

std::vector<Box> bounds_of(const std::vector<PolygonIndex>& indexes) {
  std::vector<Box> boxes;
  for (const PolygonIndex& index : indexes) boxes.push_back(index.bounds());
  return boxes;
}

using Intervals = std::vector<double>;  // ends in ascending order, two an interval

/// Where `a` is and `b` is not.
Intervals without(const Intervals& a, const Intervals& b) {
  Intervals rest;
  bool in_a = false, in_b = false, was = false;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool takes_a = j == b.size() || (i < a.size() && a[i] <= b[j]);
    const double at = takes_a ? a[i++] : b[j++];
    bool& in = takes_a ? in_a : in_b;
    in = !in;
    if (const bool is = in_a && !in_b; is != was) {
      rest.push_back(at);
      was = is;
    }
  }
  return rest;
}

double length_of(const Intervals& intervals) {
  double length = 0;
  for (std::size_t i = 0; i + 1 < intervals.size(); i += 2) length += intervals[i + 1] - intervals[i];
  return length;
}

}  // namespace

RegionMap::Indexed::Indexed(std::vector<PolygonIndex> each) : polygons(std::move(each)), boxes(bounds_of(polygons)) {}

RegionMap::RegionMap(std::vector<Region> regions, std::vector<Region> excluded)
    : regions_(std::move(regions)),
      excluded_(std::move(excluded)),
      by_area_(by_area(regions_)),
      smallest_first_(in_order(indexes_of(regions_), by_area_)),
      left_out_(indexes_of(excluded_)) {}

int RegionMap::region_of(double x, double y) const {
  const Box point{x, y, x, y};
  for (const std::size_t i : left_out_.boxes.touching(point))
    if (left_out_.polygons[i].contains(x, y)) return -1;
  if (regions_.empty()) return 0;
  for (const std::size_t i : smallest_first_.boxes.touching(point))
    if (smallest_first_.polygons[i].contains(x, y)) return static_cast<int>(by_area_[i]);
  return -1;
}

bool RegionMap::wants(const Box& box) const {
  for (const std::size_t i : left_out_.boxes.touching(box))
    if (left_out_.polygons[i].cover(box) == Cover::all) return false;
  return regions_.empty() || std::ranges::any_of(smallest_first_.boxes.touching(box), [&](std::size_t i) {
           return smallest_first_.polygons[i].cover(box) != Cover::none;
         });
}

Box RegionMap::bounds(const Box& slide) const {
  if (regions_.empty()) return slide;
  Box all = smallest_first_.polygons.front().bounds();
  for (const PolygonIndex& index : smallest_first_.polygons) {
    const Box& box = index.bounds();
    all = {std::min(all.x0, box.x0), std::min(all.y0, box.y0), std::max(all.x1, box.x1), std::max(all.y1, box.y1)};
  }
  return all;
}

std::vector<double> RegionMap::areas(const Box& slide, double step) const {
  std::vector<double> sums(std::max<std::size_t>(1, regions_.size()), 0.0);
  const Box box = bounds(slide);
  const double top = std::max(box.y0, slide.y0), bottom = std::min(box.y1, slide.y1);
  const auto rows = static_cast<std::int64_t>(std::ceil((bottom - top) / step));
  const double height = (bottom - top) / static_cast<double>(std::max<std::int64_t>(1, rows));
  Intervals crossed;
  for (std::int64_t row = 0; row < rows; ++row) {
    const double y = top + (static_cast<double>(row) + 0.5) * height;
    const Box line{slide.x0, y, slide.x1, y};
    Intervals left = {slide.x0, slide.x1};
    for (const std::size_t i : left_out_.boxes.touching(line)) {
      left_out_.polygons[i].cross_row(y, crossed);
      left = without(left, crossed);
    }
    if (regions_.empty()) sums[0] += length_of(left) * height;
    for (const std::size_t i : smallest_first_.boxes.touching(line)) {
      smallest_first_.polygons[i].cross_row(y, crossed);
      const Intervals others = without(left, crossed);
      sums[by_area_[i]] += (length_of(left) - length_of(others)) * height;
      left = others;
    }
  }
  return sums;
}

}  // namespace starpath::io
