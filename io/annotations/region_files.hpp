// Regions from the annotations that a person drew, checked for what makes them unfit, and back to GeoJSON.
#pragma once
#include <string>
#include <vector>

#include "io/annotations/region_map.hpp"

namespace starpath::io {

/// The areas of a file as read_annotations reads them; none without a name of a file. Regions that have no name get
/// that of their class, else "region N" with N their number from 1; of equal names the later ones get a number. `width`
/// x `height`: the slide. Regions outside of it are passed over. `notes`, if given, gets lines on these, on regions
/// that reach over its edge, and those of read_annotations. Throws Error{input} naming file and feature for a file
/// without areas on the slide, a region that crosses itself, and as read_annotations.
std::vector<Region> read_region_file(const std::string& file, double width, double height,
                                     std::vector<std::string>* notes = nullptr, Vertex origin = {0, 0});

/// The same regions as one GeoJSON FeatureCollection that QuPath opens; each feature says in a property `excluded`
/// whether it is one of those. Equal maps give equal texts.
std::string regions_geojson(const RegionMap& map);

}  // namespace starpath::io
