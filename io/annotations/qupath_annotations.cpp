// GeoJSON (RFC 7946) as QuPath writes it.
#include "io/annotations/qupath_annotations.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.hpp"
#include "base/json_depth.hpp"

namespace starpath::io {
namespace {

using nlohmann::json;

/// What is wrong, as an exception that its reader completes.
struct Flaw {
  std::string what;
};

const json& member(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw Flaw{fmt::format("has no '{}'", name)};
  return object[name];
}

Vertex vertex_of(const json& position) {
  if (!position.is_array() || position.size() < 2 || !position[0].is_number() || !position[1].is_number())
    throw Flaw{"has a position that is not two numbers"};
  const Vertex vertex{position[0].get<double>(), position[1].get<double>()};
  if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y)) throw Flaw{"has a position that is not finite"};
  return vertex;
}

Ring ring_of(const json& positions) {
  if (!positions.is_array()) throw Flaw{"has a ring that is no array of positions"};
  Ring ring;
  for (const json& position : positions) ring.push_back(vertex_of(position));
  const auto same = [](Vertex a, Vertex b) { return a.x == b.x && a.y == b.y; };
  if (ring.size() > 1 && same(ring.front(), ring.back())) ring.pop_back();
  if (ring.size() < 3) throw Flaw{fmt::format("has a ring of {} points, and an area needs 3", ring.size())};
  return ring;
}

Polygon polygon_of(const json& rings) {
  if (!rings.is_array() || rings.empty()) throw Flaw{"has a polygon without rings"};
  Polygon polygon{ring_of(rings[0]), {}};
  for (std::size_t i = 1; i < rings.size(); ++i) polygon.holes.push_back(ring_of(rings[i]));
  return polygon;
}

void append_polygons(const json& geometry, std::vector<Polygon>& polygons) {
  const json& type = member(geometry, "type");
  if (type == "Polygon") {
    polygons.push_back(polygon_of(member(geometry, "coordinates")));
  } else if (type == "MultiPolygon") {
    const json& all = member(geometry, "coordinates");
    if (!all.is_array()) throw Flaw{"has coordinates that are no array"};
    for (const json& rings : all) polygons.push_back(polygon_of(rings));
  } else if (type == "GeometryCollection") {
    for (const json& part : member(geometry, "geometries")) append_polygons(part, polygons);
  } else if (type != "Point" && type != "MultiPoint" && type != "LineString" && type != "MultiLineString") {
    throw Flaw{fmt::format("has a geometry of the unknown type {}", type.dump())};
  }
}

/// {"name": "Stroma"}, or {"names": ["Tumor", "Positive"]} of newer QuPaths; {} or null without a class.
std::string class_of(const json& feature) {
  const json properties = feature.value("properties", json());
  if (!properties.is_object() || !properties.contains("classification")) return "";
  const json& known = properties["classification"];
  if (known.is_null()) return "";
  if (!known.is_object()) throw Flaw{"has a classification that is no object"};
  if (known.contains("name") && known["name"].is_string()) return known["name"].get<std::string>();
  std::string name;
  for (const json& part : known.value("names", json::array())) {
    if (!part.is_string()) throw Flaw{"has a class whose name is no text"};
    name += (name.empty() ? "" : ": ") + part.get<std::string>();
  }
  return name;
}

std::string name_of(const json& feature) {
  const json properties = feature.value("properties", json());
  if (!properties.is_object() || !properties.contains("name") || !properties["name"].is_string()) return "";
  return properties["name"].get<std::string>();
}

/// The features of the three forms in which they are exported.
json features_of(json root) {
  if (root.is_array()) return root;
  if (!root.is_object()) throw Flaw{"is no GeoJSON"};
  if (root.value("type", json()) == "Feature") return json::array({std::move(root)});
  if (root.value("type", json()) != "FeatureCollection" || !root.contains("features") || !root["features"].is_array())
    throw Flaw{"is no GeoJSON of features"};
  return std::move(root["features"]);
}

std::vector<Annotation> annotations_of(const json& features) {
  std::vector<Annotation> annotations;
  for (std::size_t i = 0; i < features.size(); ++i) {
    try {
      if (!features[i].is_object()) throw Flaw{"is no object"};
      Annotation annotation{i, class_of(features[i]), {}, name_of(features[i])};
      append_polygons(member(features[i], "geometry"), annotation.polygons);
      if (!annotation.polygons.empty()) annotations.push_back(std::move(annotation));
    } catch (const Flaw& flaw) {
      throw Flaw{fmt::format("feature {} {}", i, flaw.what)};
    }
  }
  return annotations;
}

}  // namespace

std::vector<Annotation> read_qupath_annotations(const std::string& file) {
  constexpr std::string_view advice = "export it from QuPath (File, Export objects as GeoJSON, uncompressed)";
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be read ({}); check the path", file,
                                              errno != 0 ? std::strerror(errno) : "no file"));
  try {
    if (nests_deeply(text)) throw Flaw{fmt::format("nests more than {} levels", kMostJsonLevels)};
    return annotations_of(features_of(json::parse(text)));
  } catch (const json::parse_error& error) {
    throw Error(ErrorKind::input, fmt::format("{}: is no JSON (byte {}); {}", file, error.byte, advice));
  } catch (const json::exception&) {  // a number that no double holds
    throw Error(ErrorKind::input, fmt::format("{}: holds a number out of range; {}", file, advice));
  } catch (const Flaw& flaw) {
    throw Error(ErrorKind::input, fmt::format("{}: {}; {}", file, flaw.what, advice));
  }
}

}  // namespace starpath::io
