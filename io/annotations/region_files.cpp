// Regions from files and as text.
#include "io/annotations/region_files.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/annotations/read_annotations.hpp"
#include "io/annotations/self_crossing.hpp"

namespace starpath::io {
namespace {

using nlohmann::json;

void check_crosses_not(const std::string& file, const Annotation& annotation) {
  if (crosses_itself(annotation.polygons))
    throw Error(ErrorKind::input,
                fmt::format("{}: {} crosses itself; mend it in QuPath (Simplify shape, or draw it again)", file,
                            title_of(annotation)));
}

/// Those that do not lie within the slide: how many, and the first.
struct Strays {
  int count = 0;
  std::string first = {};

  void add(const Annotation& annotation) {
    if (count++ == 0) first = title_of(annotation);
  }
  /// `what`: of the slide.
  std::string text(const char* one, const char* several, const std::string& what) const {
    return count == 1 ? fmt::format("{} {} {}", first, one, what)
                      : fmt::format("{} regions {} {}, {} first", count, several, what, first);
  }
};

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

std::vector<Region> read_region_file(const std::string& file, double width, double height,
                                     std::vector<std::string>* notes, Vertex origin) {
  std::vector<Region> regions;
  if (file.empty()) return regions;
  AnnotationFile read = read_annotations(file, Geometries::areas, origin);
  if (read.annotations.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}; draw polygons, rectangles or brush strokes in QuPath",
                            read.notes.empty() ? file + ": holds no area"
                                               : fmt::format("{}: holds no area ({})", file, read.notes.back())));
  Strays outside, over_edge;
  for (Annotation& annotation : read.annotations) {
    check_crosses_not(file, annotation);
    const Box box = PolygonIndex(annotation.polygons).bounds();
    if (!(box.x1 > 0 && box.y1 > 0 && box.x0 < width && box.y0 < height)) {
      outside.add(annotation);
      continue;
    }
    if (box.x0 < 0 || box.y0 < 0 || box.x1 > width || box.y1 > height) over_edge.add(annotation);
    regions.push_back({std::move(annotation.name), std::move(annotation.class_name), std::move(annotation.polygons)});
  }
  const std::string of_slide = fmt::format("the slide, which is {:.0f}x{:.0f} px", width, height);
  if (regions.empty())
    throw Error(ErrorKind::input, fmt::format("{}: {}; is it of another slide?", file,
                                              outside.text("lies outside", "lie outside", of_slide)));
  if (outside.count > 0)
    read.notes.push_back(fmt::format("{}: {}, and {} passed over; is it of another slide?", file,
                                     outside.text("lies outside", "lie outside", of_slide),
                                     outside.count == 1 ? "is" : "are"));
  if (over_edge.count > 0)
    read.notes.push_back(fmt::format("{}: {}; what is beyond does not count", file,
                                     over_edge.text("reaches over the edge of", "reach over the edge of", of_slide)));
  if (notes != nullptr) notes->insert(notes->end(), read.notes.begin(), read.notes.end());
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
