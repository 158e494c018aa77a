// Objects that were drawn: COCO's polygons and run lengths, GeoJSON's polygons.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/quality/label_image.hpp"

namespace starpath::quality {

struct Vertex {
  double x, y;
};
using Ring = std::vector<Vertex>;

/// Gives `label` to the pixels whose centres lie inside the rings together (even-odd rule: a ring in a ring is a hole).
/// Pixel (x, y) is the unit square from (x, y) on; what lies beyond the image is left out.
void paint_rings(const std::vector<Ring>& rings, std::int32_t label, LabelImage& labels);

/// Gives `label` to the pixels of COCO's run lengths: columns from left to right, background first.
void paint_runs(const std::vector<std::int64_t>& runs, std::int32_t label, LabelImage& labels);

/// The run lengths that pycocotools writes as text: six bits a character, differences to the run but one before.
std::vector<std::int64_t> runs_of_text(const std::string& text);

/// Whether a file holds these, by its members.
bool is_coco(const nlohmann::json& json);
bool is_geojson(const nlohmann::json& json);

/// The annotations of the image with this id, or this file name (without folders), in the order of the file: a later
/// one lies over an earlier one. Labels count from 1. Throws Error{input} naming what an annotation lacks.
LabelImage coco_labels(const nlohmann::json& coco, const std::string& file_name, int width, int height);

/// Every Polygon and MultiPolygon, in pixels of the image; features without an area are left out.
LabelImage geojson_labels(const nlohmann::json& geojson, int width, int height);

}  // namespace starpath::quality
