// GeoJSON (RFC 7946) as QuPath writes it.
#include "io/annotations/qupath_annotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_depth.hpp"
#include "base/read_file.hpp"
#include "io/annotations/self_crossing.hpp"

namespace starpath::io {
namespace {

using nlohmann::json;

/// What is wrong and what to do, as an exception that its reader completes.
struct Flaw {
  std::string what;
  std::string advice = "export it from QuPath (File, Export objects as GeoJSON, uncompressed)";
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

const json& coordinates_of(const json& geometry) {
  const json& all = member(geometry, "coordinates");
  if (!all.is_array()) throw Flaw{"has coordinates that are no array"};
  return all;
}

void append_geometry(const json& geometry, Geometries wanted, Annotation& annotation) {
  const json& type = member(geometry, "type");
  const bool points = wanted == Geometries::areas_and_points;
  if (type == "Polygon") {
    annotation.polygons.push_back(polygon_of(member(geometry, "coordinates")));
  } else if (type == "MultiPolygon") {
    for (const json& rings : coordinates_of(geometry)) annotation.polygons.push_back(polygon_of(rings));
  } else if (type == "GeometryCollection") {
    for (const json& part : member(geometry, "geometries")) append_geometry(part, wanted, annotation);
  } else if (type == "Point" && points) {
    annotation.points.push_back(vertex_of(member(geometry, "coordinates")));
  } else if (type == "MultiPoint" && points) {
    for (const json& position : coordinates_of(geometry)) annotation.points.push_back(vertex_of(position));
  } else if (type != "Point" && type != "MultiPoint" && type != "LineString" && type != "MultiLineString") {
    throw Flaw{fmt::format("has a geometry of the unknown type {}", type.dump())};
  }
}

json classification_of(const json& feature) {
  const json properties = feature.value("properties", json());
  if (!properties.is_object() || !properties.contains("classification")) return {};
  const json& known = properties["classification"];
  if (!known.is_null() && !known.is_object()) throw Flaw{"has a classification that is no object"};
  return known;
}

/// {"name": "Stroma"}, or {"names": ["Tumor", "Positive"]} of newer QuPaths; {} or null without a class.
std::string class_of(const json& known) {
  if (!known.is_object()) return "";
  if (known.contains("name") && known["name"].is_string()) return known["name"].get<std::string>();
  std::string name;
  for (const json& part : known.value("names", json::array())) {
    if (!part.is_string()) throw Flaw{"has a class whose name is no text"};
    name += (name.empty() ? "" : ": ") + part.get<std::string>();
  }
  return name;
}

/// "color": [R, G, B], or "colorRGB": a signed number of older QuPaths. What is no colour is none: it decides nothing.
std::optional<std::uint32_t> colour_of(const json& known) {
  if (!known.is_object()) return std::nullopt;
  if (known.contains("colorRGB") && known["colorRGB"].is_number_integer())
    return static_cast<std::uint32_t>(known["colorRGB"].get<std::int64_t>()) & 0xffffffU;
  const json parts = known.value("color", json());
  if (!parts.is_array() || parts.size() != 3) return std::nullopt;
  std::uint32_t colour = 0;
  for (const json& part : parts) {
    if (!part.is_number_unsigned() || part.get<std::uint64_t>() > 255) return std::nullopt;
    colour = colour << 8 | part.get<std::uint32_t>();
  }
  return colour;
}

std::string property_of(const json& feature, const char* name) {
  const json properties = feature.value("properties", json());
  if (!properties.is_object() || !properties.contains(name) || !properties[name].is_string()) return "";
  return properties[name].get<std::string>();
}

/// Whether a polygon has no area but what rounding makes of its coordinates. One that crosses itself may have as much
/// clockwise as the other way round.
bool is_empty(const Polygon& polygon) {
  const Box box = bounds(polygon);
  const double far = std::max({std::abs(box.x0), std::abs(box.y0), std::abs(box.x1), std::abs(box.y1)});
  const auto vertices = static_cast<double>(polygon.outline.size());
  const double rounding = far * far * vertices * std::numeric_limits<double>::epsilon();
  return area(polygon) <= rounding && !crosses_itself({polygon});
}

void check_has_area(const Annotation& annotation) {
  for (const Polygon& polygon : annotation.polygons)
    if (is_empty(polygon))
      throw Flaw{fmt::format("({}) has a polygon without area, of {} points",
                             annotation.name.empty() ? "without a name" : fmt::format("'{}'", annotation.name),
                             polygon.outline.size()),
                 "delete it in QuPath, or draw it again"};
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

std::vector<Annotation> annotations_of(const json& features, Geometries wanted) {
  std::vector<Annotation> annotations;
  for (std::size_t i = 0; i < features.size(); ++i) {
    try {
      if (!features[i].is_object()) throw Flaw{"is no object"};
      const json known = classification_of(features[i]);
      Annotation annotation{.feature = i,
                            .class_name = class_of(known),
                            .polygons = {},
                            .name = property_of(features[i], "name"),
                            .colour = colour_of(known),
                            .object_type = property_of(features[i], "objectType")};
      append_geometry(member(features[i], "geometry"), wanted, annotation);
      check_has_area(annotation);
      if (!annotation.polygons.empty() || !annotation.points.empty()) annotations.push_back(std::move(annotation));
    } catch (const Flaw& flaw) {
      throw Flaw{fmt::format("feature {} {}", i, flaw.what), flaw.advice};
    }
  }
  return annotations;
}

}  // namespace

std::vector<Annotation> read_qupath_annotations(const std::string& file, Geometries wanted) {
  const auto refuse = [&](const Flaw& flaw) {
    return Error(ErrorKind::input, fmt::format("{}: {}; {}", file, flaw.what, flaw.advice));
  };
  const std::string text = read_file(file);
  try {
    if (nests_deeply(text)) throw Flaw{fmt::format("nests more than {} levels", kMostJsonLevels)};
    return annotations_of(features_of(json::parse(text)), wanted);
  } catch (const json::parse_error& error) {
    throw refuse({fmt::format("is no JSON (byte {})", error.byte)});
  } catch (const json::exception&) {  // a number that no double holds
    throw refuse({"holds a number out of range"});
  } catch (const Flaw& flaw) {
    throw refuse(flaw);
  }
}

}  // namespace starpath::io
