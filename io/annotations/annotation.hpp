// What a person drew on a slide and classified.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/annotations/polygon.hpp"

namespace starpath::io {

struct Annotation {
  std::size_t feature;                       // its number in the file, from 0
  std::string class_name;                    // empty without one. Parts of a derived class: "Tumor: Positive"
  std::vector<Polygon> polygons;             // level-0 pixels
  std::string name = {};                     // empty without one
  std::vector<Vertex> points = {};           // level-0 pixels
  std::optional<std::uint32_t> colour = {};  // 0xRRGGBB, of the class
  std::string object_type = {};              // QuPath's objectType: "annotation", "detection", "cell", ...
};

enum class Geometries { areas, areas_and_points };

/// How an annotation is called in messages: "feature 3 ('Nest')".
std::string title_of(const Annotation& annotation);

}  // namespace starpath::io
