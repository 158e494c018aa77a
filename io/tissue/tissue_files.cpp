// Tissue as regions and as a mask.
#include <cstddef>
#include <nlohmann/json.hpp>

#include "io/exports/png_writer.hpp"
#include "io/exports/region_file.hpp"
#include "io/outputs/picture_start.hpp"
#include "io/outputs/text_start.hpp"
#include "io/tissue/tissue.hpp"

namespace starpath::io {
namespace {

constexpr FieldLabel kTissue{"tissue", "Tissue", {200, 60, 160}};

}  // namespace

void write_tissue_regions(const Tissue& tissue, AtomicFile& file) {
  RegionFile regions(file, {kTissueCell, tissue.scale, tissue.slide_width, tissue.slide_height}, Decimals::one);
  for (const GridRegion& region : tissue.regions) regions.add(region, kTissue);
  regions.finish();
}

bool is_tissue_regions(const std::filesystem::path& file) {
  const GeoJsonStart start = read_geojson_start(file);
  if (start.is_empty || !start.feature.is_object()) return start.is_empty;
  const auto properties = start.feature.value("properties", nlohmann::json());
  if (start.feature.contains("id") || !properties.is_object() || properties.contains("measurements")) return false;
  const auto [r, g, b] = kTissue.colour;
  return properties.value("classification", nlohmann::json()) ==
         nlohmann::json{{"name", kTissue.title}, {"color", {r, g, b}}};
}

bool is_tissue_mask(const std::filesystem::path& file) { return is_picture_titled(file, kTissueMaskTitle); }

void write_tissue_mask(const Tissue& tissue, AtomicFile& file) {
  const auto width = static_cast<std::size_t>(tissue.width);
  const std::size_t columns = (width + kTissueCell - 1) / kTissueCell;
  const std::size_t rows = (static_cast<std::size_t>(tissue.height) + kTissueCell - 1) / kTissueCell;
  std::vector<Rgb> cells(columns * rows);
  for (const GridRegion& region : tissue.regions)
    for (const Point& cell : region.cells)
      cells[static_cast<std::size_t>(cell.y) * columns + static_cast<std::size_t>(cell.x)] = {255, 255, 255};
  const int shown_width = static_cast<int>(tissue.width), shown_height = static_cast<int>(tissue.height);
  PngWriter writer(file, shown_width, shown_height, kTissueMaskTitle);
  std::vector<Rgb> row(width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(tissue.height); ++y) {
    for (std::size_t x = 0; x < width; ++x) row[x] = cells[y / kTissueCell * columns + x / kTissueCell];
    writer.write({row.data(), shown_width, 1, shown_width});
  }
  writer.finish();
}

}  // namespace starpath::io
