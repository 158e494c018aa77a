// From JSON to annotations.
#include "io/annotations/geojson_annotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json_depth.hpp"

namespace starpath::io {
namespace {

using nlohmann::json;

constexpr const char* kExportHint = "export it from QuPath (File, Export objects as GeoJSON)";

[[noreturn]] void refuse(const std::string& what, const char* advice = kExportHint) { throw Flaw{what, advice}; }

const json& member(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) refuse(fmt::format("has no '{}'", name));
  return object[name];
}

Vertex vertex_of(const json& position) {
  if (!position.is_array() || position.size() < 2 || !position[0].is_number() || !position[1].is_number())
    refuse("has a position that is not two numbers");
  const Vertex vertex{position[0].get<double>(), position[1].get<double>()};
  if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y)) refuse("has a position that is not finite");
  return vertex;
}

Ring ring_of(const json& positions) {
  if (!positions.is_array()) refuse("has a ring that is no array of positions");
  Ring ring;
  for (const json& position : positions) ring.push_back(vertex_of(position));
  const auto same = [](Vertex a, Vertex b) { return a.x == b.x && a.y == b.y; };
  if (ring.size() > 1 && same(ring.front(), ring.back())) ring.pop_back();
  return ring;
}

const json& array_of(const json& geometry, const char* name) {
  const json& all = member(geometry, name);
  if (!all.is_array()) refuse(fmt::format("has {} that are no array", name));
  return all;
}

/// One feature as it is read.
struct FeatureReading {
  Geometries wanted;
  Annotation& annotation;
  PassedOver& passed_over;

  void pass_over(const char* kind) const { passed_over.add(annotation, kind); }

  void add_polygon(const json& rings) const {
    if (!rings.is_array()) refuse("has a polygon that is no array of rings");
    Polygon polygon;
    for (const json& each : rings) {
      Ring ring = ring_of(each);
      const bool is_outline = &each == &rings[0], is_area = ring.size() >= 3;
      if (is_outline && !is_area) break;
      if (is_outline)
        polygon.outline = std::move(ring);
      else if (is_area)
        polygon.holes.push_back(std::move(ring));
    }
    if (polygon.outline.empty()) return pass_over(rings.empty() ? "empty" : "without area");
    annotation.polygons.push_back(std::move(polygon));
  }

  template <class Add>
  void add_each(const json& parts, const Add& add) const {
    if (parts.empty()) pass_over("empty");
    for (const json& part : parts) add(part);
  }

  void add_points(const json& geometry, bool is_one) const {
    if (wanted == Geometries::areas) return pass_over("points");
    const json& positions = array_of(geometry, "coordinates");
    if (is_one && positions.empty()) return pass_over("empty");
    if (is_one) return annotation.points.push_back(vertex_of(positions));
    add_each(positions, [&](const json& position) { annotation.points.push_back(vertex_of(position)); });
  }

  void add_geometry(const json& geometry) const {
    if (geometry.is_null()) return pass_over("without geometry");
    const json& type = member(geometry, "type");
    if (type == "Polygon") {
      add_polygon(array_of(geometry, "coordinates"));
    } else if (type == "MultiPolygon") {
      add_each(array_of(geometry, "coordinates"), [&](const json& rings) { add_polygon(rings); });
    } else if (type == "GeometryCollection") {
      add_each(array_of(geometry, "geometries"), [&](const json& part) { add_geometry(part); });
    } else if (type == "Point" || type == "MultiPoint") {
      add_points(geometry, type == "Point");
    } else if (type == "LineString" || type == "MultiLineString") {
      pass_over("lines");
    } else {
      refuse(fmt::format("has a geometry of the unknown type {}", type.dump()));
    }
  }
};

json classification_of(const json& feature) {
  const json properties = feature.value("properties", json());
  if (!properties.is_object() || !properties.contains("classification")) return {};
  const json& known = properties["classification"];
  if (known.is_string()) {  // GeoPandas has no objects in a column, and others have a name
    const json inner = json::parse(known.get<std::string>(), nullptr, false);
    return inner.is_object() ? inner : json{{"name", known}};
  }
  if (!known.is_null() && !known.is_object()) refuse("has a classification that is neither an object nor a name");
  return known;
}

/// {"name": "Stroma"}, or {"names": ["Tumor", "Positive"]} of newer QuPaths; {} or null without a class.
std::string class_of(const json& known) {
  if (!known.is_object()) return "";
  if (known.contains("name") && known["name"].is_string()) return known["name"].get<std::string>();
  std::string name;
  for (const json& part : known.value("names", json::array())) {
    if (!part.is_string()) refuse("has a class whose name is no text");
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

/// What other JSON of annotations is, by a member that it has.
std::string known_kind(const json& root) {
  if (root.contains("images") && root.contains("annotations")) return "COCO's JSON";
  if (root.contains("elements") || root.contains("annotation")) return "the JSON of the Digital Slide Archive";
  if (root.contains("shapes") && root.contains("imagePath")) return "LabelMe's JSON";
  return "";
}

/// The features of the forms in which they are exported.
json features_of(json root) {
  if (root.is_array()) return root;
  if (!root.is_object()) refuse("is no GeoJSON");
  if (root.value("type", json()) == "Feature") return json::array({std::move(root)});
  if (root.value("type", json()) == "FeatureCollection" && root.contains("features") && root["features"].is_array())
    return std::move(root["features"]);
  if (const std::string kind = known_kind(root); !kind.empty())
    refuse(fmt::format("is {}, and no GeoJSON", kind), "open it in a program that exports GeoJSON");
  refuse("is no GeoJSON of features");
}

/// Puts texts, and so no numbers, of the same length in the place of NaN and Infinity, which JSON does not have.
void replace_no_numbers(std::string& text) {
  constexpr std::array<std::string_view, 3> words = {"NaN", "Infinity", "-Infinity"};
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == 'N' || c == 'I' || c == '-')) {
      for (const std::string_view word : words)
        if (std::string_view(text).substr(i).starts_with(word)) {
          text.replace(i, word.size(), "\"\"" + std::string(word.size() - 2, ' '));
          i += word.size() - 1;
          break;
        }
    }
  }
}

/// Of a text that is not one value: a feature in each line, behind a record separator or not.
std::optional<json> lines_of_features(std::string_view text) {
  json features = json::array();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('\x1e')) line.remove_prefix(1);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    json feature = json::parse(line, nullptr, false);
    if (!feature.is_object() || feature.value("type", json()) != "Feature") return std::nullopt;
    features.push_back(std::move(feature));
  }
  return features;
}

json parse(const std::string& text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    if (auto features = lines_of_features(text); features && features->size() > 1) return std::move(*features);
    refuse(fmt::format("is no JSON (byte {})", error.byte));
  }
}

Annotation annotation_of(const json& feature, std::size_t number, Geometries wanted, PassedOver& passed_over) {
  if (!feature.is_object()) refuse("is no object");
  const json known = classification_of(feature);
  Annotation annotation{.feature = number,
                        .class_name = class_of(known),
                        .polygons = {},
                        .name = property_of(feature, "name"),
                        .colour = colour_of(known),
                        .object_type = property_of(feature, "objectType")};
  FeatureReading{wanted, annotation, passed_over}.add_geometry(member(feature, "geometry"));
  drop_empty_polygons(annotation, passed_over);
  return annotation;
}

Drawn drawn_of(const json& features, Geometries wanted) {
  Drawn drawn;
  for (std::size_t i = 0; i < features.size(); ++i) {
    try {
      Annotation annotation = annotation_of(features[i], i, wanted, drawn.passed_over);
      if (!annotation.polygons.empty() || !annotation.points.empty())
        drawn.annotations.push_back(std::move(annotation));
    } catch (const Flaw& flaw) {
      throw Flaw{fmt::format("feature {} {}", i, flaw.what), flaw.advice};
    }
  }
  return drawn;
}

}  // namespace

Drawn geojson_annotations(std::string text, Geometries wanted) {
  if (nests_deeply(text)) refuse(fmt::format("nests more than {} levels", kMostJsonLevels));
  replace_no_numbers(text);
  try {
    return drawn_of(features_of(parse(text)), wanted);
  } catch (const json::exception&) {  // a number that no double holds
    refuse("holds a number out of range");
  }
}

}  // namespace starpath::io
