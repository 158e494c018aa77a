// Regions, the innermost first.
#include "io/annotations/region_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace starpath::io {
namespace {

std::vector<PolygonIndex> index_of(const std::vector<Region>& regions) {
  std::vector<PolygonIndex> index;
  for (const Region& region : regions) index.emplace_back(region.polygons);
  return index;
}

double area_of(const Region& region) {
  double sum = 0;
  for (const Polygon& polygon : region.polygons) sum += area(polygon);
  return sum;
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

RegionMap::RegionMap(std::vector<Region> regions, std::vector<Region> excluded)
    : regions_(std::move(regions)),
      excluded_(std::move(excluded)),
      region_index_(index_of(regions_)),
      excluded_index_(index_of(excluded_)),
      by_area_(regions_.size()) {
  std::iota(by_area_.begin(), by_area_.end(), std::size_t{0});
  std::vector<double> area;
  for (const Region& region : regions_) area.push_back(area_of(region));
  std::ranges::stable_sort(by_area_, {}, [&](std::size_t region) { return area[region]; });
}

int RegionMap::region_of(double x, double y) const {
  const auto holds = [&](const PolygonIndex& index) { return index.contains(x, y); };
  if (std::ranges::any_of(excluded_index_, holds)) return -1;
  if (region_index_.empty()) return 0;
  const auto found =
      std::ranges::find_if(by_area_, [&](std::size_t region) { return region_index_[region].contains(x, y); });
  return found == by_area_.end() ? -1 : static_cast<int>(*found);
}

bool RegionMap::wants(const Box& box) const {
  const auto covers = [&](const PolygonIndex& index) { return index.cover(box) == Cover::all; };
  const auto meets = [&](const PolygonIndex& index) { return index.cover(box) != Cover::none; };
  if (std::ranges::any_of(excluded_index_, covers)) return false;
  return region_index_.empty() || std::ranges::any_of(region_index_, meets);
}

Box RegionMap::bounds(const Box& slide) const {
  if (region_index_.empty()) return slide;
  Box all = region_index_.front().bounds();
  for (const PolygonIndex& index : region_index_) {
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
    Intervals left = {slide.x0, slide.x1};
    for (const PolygonIndex& index : excluded_index_) {
      index.cross_row(y, crossed);
      left = without(left, crossed);
    }
    if (regions_.empty()) sums[0] += length_of(left) * height;
    for (const std::size_t region : by_area_) {
      region_index_[region].cross_row(y, crossed);
      if (crossed.empty()) continue;
      const Intervals others = without(left, crossed);
      sums[region] += (length_of(left) - length_of(others)) * height;
      left = others;
    }
  }
  return sums;
}

}  // namespace starpath::io
