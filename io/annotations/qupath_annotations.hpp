// Regions that a person drew and classified in QuPath, from the GeoJSON that it exports.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/annotations/polygon.hpp"

namespace starpath::io {

struct Annotation {
  std::size_t feature;     // its number in the file, from 0
  std::string class_name;  // properties.classification; empty without one. Parts of a derived class: "Tumor: Positive"
  std::vector<Polygon> polygons;  // level-0 pixels; at least one
  std::string name = {};          // properties.name; empty without one
};

/// The areas in a feature collection, an array of features or a single feature: Polygon, MultiPolygon, or a
/// GeometryCollection of these. Points and lines are passed over. Throws Error{input} naming the file, the number of
/// the feature (from 0) and what is wrong with it when the file cannot be read or is no such GeoJSON.
std::vector<Annotation> read_qupath_annotations(const std::string& file);

}  // namespace starpath::io
