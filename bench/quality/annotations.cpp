// Polygons and run lengths into labels.
#include "bench/quality/annotations.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.hpp"

namespace starpath::quality {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::input, what); }

/// COCO's ring: x, y, x, y, ...
Ring flat_ring(const Json& numbers) {
  Ring ring;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
    ring.push_back({numbers[i].get<double>(), numbers[i + 1].get<double>()});
  return ring;
}

void append_polygon(const Json& polygon, std::vector<Ring>& rings) {
  for (const Json& points : polygon) {
    Ring ring;
    for (const Json& point : points) ring.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
    rings.push_back(std::move(ring));
  }
}

void paint_coco(const Json& annotation, std::int32_t label, LabelImage& labels) {
  const Json& segmentation = annotation.at("segmentation");
  if (segmentation.is_array()) {
    // The polygons of one object are its pieces: they have no holes, and may overlap.
    for (const Json& ring : segmentation) paint_rings({flat_ring(ring)}, label, labels);
    return;
  }
  const Json& size = segmentation.at("size");
  if (size.at(0) != labels.height() || size.at(1) != labels.width())
    refuse("a COCO run length is of another size than its image");
  const Json& counts = segmentation.at("counts");
  paint_runs(counts.is_string() ? runs_of_text(counts.get<std::string>()) : counts.get<std::vector<std::int64_t>>(),
             label, labels);
}

}  // namespace

void paint_rings(const std::vector<Ring>& rings, std::int32_t label, LabelImage& labels) {
  double top = labels.height(), bottom = 0;
  for (const Ring& ring : rings)
    for (const Vertex& vertex : ring) top = std::min(top, vertex.y), bottom = std::max(bottom, vertex.y);
  const int first = static_cast<int>(std::floor(std::max(top, 0.0)));
  const int end = static_cast<int>(std::ceil(std::min<double>(bottom, labels.height())));
  const auto clamp_column = [&](double x) {
    return static_cast<int>(std::clamp<double>(std::ceil(x - 0.5), 0, labels.width()));
  };
  std::vector<double> crossings;
  for (int y = first; y < end; ++y) {
    const double middle = y + 0.5;
    crossings.clear();
    for (const Ring& ring : rings)
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vertex &a = ring[i], &b = ring[(i + 1) % ring.size()];
        if ((a.y <= middle) != (b.y <= middle)) crossings.push_back(a.x + (middle - a.y) * (b.x - a.x) / (b.y - a.y));
      }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
      for (int x = clamp_column(crossings[i]); x < clamp_column(crossings[i + 1]); ++x) labels.at(x, y) = label;
  }
}

void paint_runs(const std::vector<std::int64_t>& runs, std::int32_t label, LabelImage& labels) {
  const std::int64_t pixels = std::int64_t{labels.width()} * labels.height();
  std::int64_t at = 0;
  bool inside = false;
  for (const std::int64_t run : runs) {
    if (run < 0 || run > pixels - at) refuse("COCO run lengths do not fit their image");
    if (inside)
      for (std::int64_t i = at; i < at + run; ++i)
        labels.at(static_cast<int>(i / labels.height()), static_cast<int>(i % labels.height())) = label;
    at += run;
    inside = !inside;
  }
}

std::vector<std::int64_t> runs_of_text(const std::string& text) {
  std::vector<std::int64_t> runs;
  for (std::size_t i = 0; i < text.size();) {
    std::int64_t value = 0;
    int shift = 0;
    for (bool more = true; more; shift += 5) {
      if (i == text.size() || shift > 55) refuse("a COCO run length ends in the middle of a number");
      const int digit = text[i++] - 48;
      value |= std::int64_t{digit & 31} << shift;
      more = (digit & 32) != 0;
      if (!more && (digit & 16) != 0) value |= -(std::int64_t{1} << (shift + 5));
    }
    if (runs.size() > 2) value += runs[runs.size() - 2];
    runs.push_back(value);
  }
  return runs;
}

bool is_coco(const Json& json) { return json.is_object() && json.contains("annotations") && json.contains("images"); }

bool is_geojson(const Json& json) {
  if (json.is_array()) return !json.empty() && is_geojson(json.front());
  return json.is_object() && (json.value("type", "") == "FeatureCollection" || json.value("type", "") == "Feature");
}

LabelImage coco_labels(const Json& coco, const std::string& file_name, int width, int height) {
  LabelImage labels(width, height, 0);
  try {
    for (const Json& image : coco.at("images")) {
      if (std::filesystem::path(image.at("file_name").get<std::string>()).filename() != file_name) continue;
      std::int32_t label = 0;
      for (const Json& annotation : coco.at("annotations"))
        if (annotation.at("image_id") == image.at("id")) paint_coco(annotation, ++label, labels);
    }
  } catch (const Json::exception& error) {
    refuse("the COCO annotations of " + file_name + " cannot be used: " + error.what());
  }
  return labels;
}

LabelImage geojson_labels(const Json& geojson, int width, int height) {
  LabelImage labels(width, height, 0);
  const auto features = geojson.is_array()                                 ? geojson
                        : geojson.value("type", "") == "FeatureCollection" ? geojson.at("features")
                                                                           : Json::array({geojson});
  std::int32_t label = 0;
  try {
    for (const Json& feature : features) {
      const Json& geometry = feature.at("geometry");
      if (!geometry.is_object()) continue;
      std::vector<Ring> rings;
      if (geometry.value("type", "") == "Polygon") append_polygon(geometry.at("coordinates"), rings);
      if (geometry.value("type", "") == "MultiPolygon")
        for (const Json& polygon : geometry.at("coordinates")) append_polygon(polygon, rings);
      if (!rings.empty()) paint_rings(rings, ++label, labels);
    }
  } catch (const Json::exception& error) {
    refuse(std::string("a GeoJSON feature cannot be used: ") + error.what());
  }
  return labels;
}

}  // namespace starpath::quality
