// Regions from files and as text.
#include "io/annotations/region_files.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/annotations/qupath_annotations.hpp"
#include "io/annotations/self_crossing.hpp"

namespace starpath::io {
namespace {

using nlohmann::json;

void check(const std::string& file, const Annotation& annotation, double width, double height) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::input, fmt::format("{}: feature {} {}", file, annotation.feature, what));
  };
  if (crosses_itself(annotation.polygons))
    refuse("crosses itself; mend it in QuPath (Simplify shape, or draw it again)");
  const Box box = PolygonIndex(annotation.polygons).bounds();
  if (!(box.x1 > 0 && box.y1 > 0 && box.x0 < width && box.y0 < height))
    refuse(fmt::format("lies outside the slide, which is {:.0f}x{:.0f} px; is it of another slide?", width, height));
}

/// No two regions have a name.
void name_apart(std::vector<Region>& regions) {
  std::set<std::string> taken;
  std::map<std::string, int> next;  // those below are taken
  for (std::size_t i = 0; i < regions.size(); ++i) {
    std::string& name = regions[i].name;
    if (name.empty()) name = regions[i].class_name;
    if (name.empty()) name = fmt::format("region {}", i + 1);
    const std::string given = name;
    for (int& number = next.try_emplace(given, 2).first->second; !taken.insert(name).second; ++number)
      name = fmt::format("{} {}", given, number);
  }
}

json positions_of(const Ring& ring) {
  json positions = json::array();
  for (std::size_t i = 0; i <= ring.size(); ++i) {  // GeoJSON repeats the first vertex
    const Vertex v = ring[i % ring.size()];
    positions.push_back({v.x, v.y});
  }
  return positions;
}

json feature_of(const Region& region, bool excluded) {
  json polygons = json::array();
  for (const Polygon& polygon : region.polygons) {
    json rings = json::array({positions_of(polygon.outline)});
    for (const Ring& hole : polygon.holes) rings.push_back(positions_of(hole));
    polygons.push_back(std::move(rings));
  }
  json properties = {{"objectType", "annotation"}, {"name", region.name}, {"excluded", excluded}};
  if (!region.class_name.empty()) properties["classification"] = {{"name", region.class_name}};
  return {{"type", "Feature"},
          {"geometry", {{"type", "MultiPolygon"}, {"coordinates", std::move(polygons)}}},
          {"properties", std::move(properties)}};
}

}  // namespace

std::vector<Region> read_region_file(const std::string& file, double width, double height) {
  std::vector<Region> regions;
  if (file.empty()) return regions;
  for (Annotation& annotation : read_qupath_annotations(file)) {
    check(file, annotation, width, height);
    regions.push_back({std::move(annotation.name), std::move(annotation.class_name), std::move(annotation.polygons)});
  }
  if (regions.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: holds no area; draw polygons, rectangles or brush strokes in QuPath", file));
  name_apart(regions);
  return regions;
}

std::string regions_geojson(const RegionMap& map) {
  json features = json::array();
  for (const Region& region : map.regions()) features.push_back(feature_of(region, false));
  for (const Region& region : map.excluded()) features.push_back(feature_of(region, true));
  return json{{"type", "FeatureCollection"}, {"features", std::move(features)}}.dump(-1, ' ', false,
                                                                                     json::error_handler_t::replace);
}

}  // namespace starpath::io
