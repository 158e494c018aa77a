// GeoJSON (RFC 7946) as QuPath, GeoPandas and others write it.
#pragma once
#include <string>

#include "io/annotations/drawn.hpp"

namespace starpath::io {

/// What a feature collection, an array of features, a single feature, or lines of features (RFC 8142) hold: Polygon,
/// MultiPolygon, or a GeometryCollection of these, and Point and MultiPoint where they are wanted. NaN and Infinity,
/// which QuPath up to 0.4.3 and Python write, are read wherever they stand for no position. `text` is UTF-8. Throws
/// Flaw naming the number of the feature (from 0) when it is no such GeoJSON. Pure.
Drawn geojson_annotations(std::string text, Geometries wanted);

}  // namespace starpath::io
