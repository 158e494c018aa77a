// Regions that a person drew and classified in QuPath, from the GeoJSON that it exports.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/annotations/polygon.hpp"

namespace starpath::io {

struct Annotation {
  std::size_t feature;     // its number in the file, from 0
  std::string class_name;  // properties.classification; empty without one. Parts of a derived class: "Tumor: Positive"
  std::vector<Polygon> polygons;             // level-0 pixels
  std::string name = {};                     // properties.name; empty without one
  std::vector<Vertex> points = {};           // level-0 pixels
  std::optional<std::uint32_t> colour = {};  // 0xRRGGBB, of the class
  std::string object_type = {};              // properties.objectType: "annotation", "detection", "cell", ...
};

enum class Geometries { areas, areas_and_points };

/// What a feature collection, an array of features or a single feature holds: Polygon, MultiPolygon, or a
/// GeometryCollection of these, and Point and MultiPoint where they are wanted. Features with nothing of it are passed
/// over, and so are lines. Throws Error{input} naming the file, the number of the feature (from 0) and what is wrong
/// with it when the file cannot be read or is no such GeoJSON, or when a polygon has no area.
std::vector<Annotation> read_qupath_annotations(const std::string& file, Geometries wanted = Geometries::areas);

}  // namespace starpath::io
