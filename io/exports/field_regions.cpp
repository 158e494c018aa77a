// Labelled fields as QuPath annotations.
#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.hpp"
#include "io/exports/field_exports.hpp"
#include "io/exports/region_file.hpp"
#include "io/outlines/grid_regions.hpp"
#include "io/outputs/text_start.hpp"

namespace starpath::io {

void export_field_regions(const FieldMap& map, const std::filesystem::path& file) {
  const auto places = fields_by_place(map);
  std::vector<int> values;
  const int out_of_range = static_cast<int>(map.labels.size());
  for (const FieldRecord* field : places)
    values.push_back(field == nullptr || field->failed ? -1 : field->out_of_range ? out_of_range : field->label);
  AtomicFile output(file);
  RegionFile regions(output, {map.side, map.info.scale, map.info.slide_width, map.info.slide_height},
                     Decimals::as_needed);
  const int columns = static_cast<int>(map.columns());
  for (const GridRegion& region : grid_regions(values, columns, static_cast<int>(map.rows()))) {
    const auto field_at = [&](Point cell) { return places[static_cast<std::size_t>(cell.y * columns + cell.x)]; };
    const FieldLabel& label =
        region.value == out_of_range ? kOutOfRange : map.labels[static_cast<std::size_t>(region.value)];
    const auto low = std::count_if(region.cells.begin(), region.cells.end(),
                                   [&](Point cell) { return field_at(cell)->low_confidence; });
    regions.add(region, label, fmt::format(R"("fields":{},"low_confidence_fields":{})", region.cells.size(), low));
  }
  regions.finish();
  output.commit();
}

/// A program that read the regions and writes them again gives them ids.
bool is_field_regions(const std::filesystem::path& file) {
  const GeoJsonStart start = read_geojson_start(file);
  if (start.is_empty || !start.feature.is_object()) return start.is_empty;
  const auto properties = start.feature.value("properties", nlohmann::json::object());
  if (start.feature.contains("id") || !properties.is_object()) return false;
  const auto measurements = properties.value("measurements", nlohmann::json());
  return measurements.contains("fields") && measurements.contains("low_confidence_fields");
}

}  // namespace starpath::io
