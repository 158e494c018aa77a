// Nuclei as a GeoParquet table, column by column.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/exports/exports.hpp"
#include "io/exports/group_names.hpp"
#include "io/exports/measurements.hpp"
#include "io/exports/run_json.hpp"
#include "io/exports/visit_nuclei.hpp"
#include "io/outlines/smooth_polygon.hpp"
#include "io/parquet/created_by.hpp"
#include "io/parquet/parquet_file.hpp"

namespace starpath::io {
namespace {

std::vector<ParquetColumn> columns_of(const std::vector<Measurement>& measurements, const GroupNames& groups) {
  constexpr auto place = ParquetType::float64;
  std::vector<ParquetColumn> columns = {{"id", ParquetType::int64},
                                        {"centroid_x", place},
                                        {"centroid_y", place},
                                        {"centroid_x_um", place, true},
                                        {"centroid_y_um", place, true},
                                        {"x0", place},
                                        {"y0", place},
                                        {"x1", place},
                                        {"y1", place},
                                        {"pixels", ParquetType::int32}};
  const auto add_text = [&](const char* name) {
    columns.push_back({.name = name, .type = ParquetType::bytes, .is_text = true});
  };
  if (groups.has_regions()) {
    add_text("region");
    add_text("region_class");
  }
  if (groups.has_clusters()) add_text("cluster");
  if (groups.has_classes()) {
    add_text("class");
    columns.push_back({"class_confidence", ParquetType::float32, true});
    columns.push_back({"out_of_range", ParquetType::int32});
    add_text("nearest_class");
  }
  for (const Measurement& each : measurements) columns.push_back({each.column, ParquetType::float32, true});
  columns.push_back({"geometry", ParquetType::bytes});
  return columns;
}

/// The box around all polygons.
struct Box {
  double x0 = std::numeric_limits<double>::infinity(), y0 = x0, x1 = -x0, y1 = -x0;
  void add(double x, double y) {
    x0 = std::min(x0, x);
    y0 = std::min(y0, y);
    x1 = std::max(x1, x);
    y1 = std::max(y1, y);
  }
};

/// Well-known binary of a polygon in half working pixels, as level-0 pixels. Replaces what `bytes` held.
void encode_polygon(const std::vector<Point>& polygon, double scale, std::string& bytes, Box& box) {
  constexpr std::uint32_t type_polygon = 3, ring_count = 1;
  const auto put = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  bytes.assign(1, '\1');  // little-endian
  for (const std::uint32_t value : {type_polygon, ring_count, static_cast<std::uint32_t>(polygon.size() + 1)})
    put(value);
  for (std::size_t i = 0; i <= polygon.size(); ++i) {
    const Point p = polygon[i % polygon.size()];
    const double x = p.x * scale / 2, y = p.y * scale / 2;
    put(x);
    put(y);
    box.add(x, y);
  }
}

/// What makes the table GeoParquet 1.1. Its plane is the slide: there is no place on Earth, and y goes down.
std::string geo_note(const Box& box) {
  nlohmann::json geometry = {{"encoding", "WKB"}, {"geometry_types", {"Polygon"}}, {"crs", nullptr}};
  if (box.x0 <= box.x1) geometry["bbox"] = {box.x0, box.y0, box.x1, box.y1};
  return nlohmann::json{{"version", "1.1.0"}, {"primary_column", "geometry"}, {"columns", {{"geometry", geometry}}}}
      .dump();
}

std::string run_note(const RunKey& key, const RunInfo& info) {
  nlohmann::json note = run_json(key);
  note["slide_fingerprint"] = key.slide_fingerprint;
  note["slide_mpp"] = info.slide_mpp;
  return note.dump();
}

}  // namespace

void export_parquet(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options) {
  const RunInfo info = store.info();
  const Measurements measured = measurements_of(info, options.features);
  const GroupNames groups{GroupStore(store)};
  ParquetFile output(file, columns_of(measured.columns, groups));
  const double um = info.slide_mpp > 0 ? info.slide_mpp : std::numeric_limits<double>::quiet_NaN();
  Box box;
  std::string geometry;
  visit_nuclei(NucleusStore(store), measured.features, NucleusParts::all, options.on_progress,
               [&](std::int64_t id, const NucleusRecord& n) {
                 const double x = n.centroid_x * info.scale, y = n.centroid_y * info.scale;
                 std::size_t column = 0;
                 output.column(column++).put(id);
                 for (const double place : {x, y, x * um, y * um}) output.column(column++).put(place);
                 for (const std::int64_t edge : {n.x0, n.y0, n.x1, n.y1})
                   output.column(column++).put(static_cast<double>(edge) * info.scale);
                 output.column(column++).put(std::int64_t{n.area});
                 if (groups.has_regions()) {
                   const RegionRecord* region = groups.region_of(n);
                   output.column(column++).put(std::string_view(region == nullptr ? "" : region->name));
                   output.column(column++).put(std::string_view(region == nullptr ? "" : region->class_name));
                 }
                 if (groups.has_clusters()) {
                   const ClusterRecord* cluster = groups.cluster_of(n);
                   output.column(column++).put(std::string_view(cluster == nullptr ? "" : cluster->name));
                 }
                 if (groups.has_classes()) {
                   const ClassRecord* known = groups.class_of(n);
                   output.column(column++).put(std::string_view(groups.class_name_of(n)));
                   output.column(column++).put(known == nullptr ? std::numeric_limits<double>::quiet_NaN()
                                                                : n.classified.confidence);
                   output.column(column++).put(std::int64_t{n.classified.out_of_range});
                   output.column(column++).put(std::string_view(known == nullptr ? "" : known->name));
                 }
                 for (const Measurement& each : measured.columns) output.column(column++).put(each.of(n));
                 encode_polygon(smooth_polygon(n.contour), info.scale, geometry, box);
                 output.column(column).put(std::string_view(geometry));
                 output.end_row();
               });
  output.commit({{"geo", geo_note(box)}, {"starpath", run_note(store.key(), info)}});
}

bool is_parquet_export(const std::filesystem::path& file) { return is_parquet_of(file, "starpath"); }

}  // namespace starpath::io
