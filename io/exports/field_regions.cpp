// Labelled fields as QuPath annotations.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/atomic_file.hpp"
#include "io/exports/field_exports.hpp"
#include "io/outlines/grid_regions.hpp"

namespace starpath::io {
namespace {

void append_ring(std::string& text, const Contour& ring, const FieldMap& map) {
  text += "[";
  for (std::size_t i = 0; i <= ring.size(); ++i) {  // GeoJSON repeats the first vertex
    const Point p = ring[i % ring.size()];
    // The last working pixel may reach beyond the slide, and the last field beyond that.
    const auto level0 = [&](int vertex, std::int64_t slide) {
      const auto place = static_cast<double>(std::int64_t{vertex} * map.side) * map.info.scale;
      return std::min(place, static_cast<double>(slide));
    };
    fmt::format_to(std::back_inserter(text), "{}[{},{}]", i == 0 ? "" : ",", level0(p.x, map.info.slide_width),
                   level0(p.y, map.info.slide_height));
  }
  text += "]";
}

}  // namespace

void export_field_regions(const FieldMap& map, const std::filesystem::path& file) {
  const auto places = fields_by_place(map);
  std::vector<int> values;
  const int out_of_range = static_cast<int>(map.labels.size());
  for (const FieldRecord* field : places)
    values.push_back(field == nullptr || field->failed ? -1 : field->out_of_range ? out_of_range : field->label);
  AtomicFile output(file);
  output.write(R"({"type":"FeatureCollection","features":[)");
  const char* separator = "\n";
  const int columns = static_cast<int>(map.columns());
  for (const GridRegion& region : grid_regions(values, columns, static_cast<int>(map.rows()))) {
    const auto field_at = [&](Point cell) { return places[static_cast<std::size_t>(cell.y * columns + cell.x)]; };
    const FieldLabel& label =
        region.value == out_of_range ? kOutOfRange : map.labels[static_cast<std::size_t>(region.value)];
    const auto low = std::count_if(region.cells.begin(), region.cells.end(),
                                   [&](Point cell) { return field_at(cell)->low_confidence; });
    std::string text = separator;
    text += R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[)";
    for (std::size_t i = 0; i < region.rings.size(); ++i) {
      if (i > 0) text += ",";
      append_ring(text, region.rings[i], map);
    }
    fmt::format_to(
        std::back_inserter(text),
        R"(]}},"properties":{{"objectType":"annotation","classification":{{"name":"{}","color":[{},{},{}]}},)"
        R"("measurements":{{"fields":{},"low_confidence_fields":{}}}}}}})",
        label.title, label.colour.r, label.colour.g, label.colour.b, region.cells.size(), low);
    output.write(text);
    separator = ",\n";
  }
  output.write("\n]}\n");
  output.commit();
}

}  // namespace starpath::io
