// Annotations of one slide in a file, of any of the programs in which people draw.
#pragma once
#include <string>
#include <vector>

#include "io/annotations/annotation.hpp"

namespace starpath::io {

struct AnnotationFile {
  std::vector<Annotation> annotations;
  std::vector<std::string>
      notes;  // lines for people, with the name of the file: what is passed over, and what is a guess
};

/// GeoJSON (geojson_annotations.hpp), or the XML of ASAP, ImageScope or HALO (xml_annotations.hpp), packed by gzip or
/// not, as UTF-8, UTF-16 or Latin-1. Features without a `wanted` geometry are passed over. Throws Error{input}
/// naming the file, the number of the feature (from 0) and what is wrong with it when the file cannot be read or is
/// none of these. `origin`: of the slide on the canvas of its file, from whose corner XML counts (io/slides/slide.hpp).
AnnotationFile read_annotations(const std::string& file, Geometries wanted = Geometries::areas, Vertex origin = {0, 0});

}  // namespace starpath::io
