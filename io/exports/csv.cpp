// Nuclei as a table.
#include <cmath>
#include <string>

#include "io/exports/csv_cell.hpp"
#include "io/exports/export_file.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/group_names.hpp"
#include "io/exports/measurements.hpp"
#include "io/exports/number_text.hpp"
#include "io/exports/visit_nuclei.hpp"
#include "io/outputs/text_start.hpp"

namespace starpath::io {
namespace {

constexpr const char* kFirstColumns = "id,centroid_x,centroid_y,centroid_x_um,centroid_y_um,x0,y0,x1,y1,pixels";
// 0.1.0 left the micrometres out where the slide did not say its resolution.
constexpr const char* kWithoutMicrometres = "id,centroid_x,centroid_y,x0,y0,x1,y1,pixels";

std::string header(const std::vector<Measurement>& columns, const GroupNames& groups) {
  std::string text = kFirstColumns;
  if (groups.has_regions()) text += ",region,region_class";
  if (groups.has_clusters()) text += ",cluster";
  if (groups.has_classes()) text += ",class,class_confidence,out_of_range,nearest_class";
  for (const Measurement& column : columns) text += "," + csv_cell(column.column);
  return text + "\r\n";
}

/// Number, centre, box and size. What is not known is an empty field.
void append_place_of(std::string& text, std::int64_t id, const NucleusRecord& n, const RunInfo& info) {
  const double x = n.centroid_x * info.scale, y = n.centroid_y * info.scale;
  text += std::to_string(id);
  for (const double centre : {x, y}) append_place(text += ',', centre);
  for (const double centre : {x, y}) {
    text += ',';
    if (info.slide_mpp > 0) append_place(text, centre * info.slide_mpp);
  }
  for (const std::int64_t edge : {n.x0, n.y0, n.x1, n.y1})
    append_place(text += ',', static_cast<double>(edge) * info.scale);
  text += ',' + std::to_string(n.area);
}

void append_groups(std::string& text, const NucleusRecord& nucleus, const GroupNames& groups, int digits) {
  if (groups.has_regions()) {
    const RegionRecord* region = groups.region_of(nucleus);
    text += region == nullptr ? ",," : "," + csv_cell(region->name) + "," + csv_cell(region->class_name);
  }
  if (groups.has_clusters()) {
    const ClusterRecord* cluster = groups.cluster_of(nucleus);
    text += "," + (cluster == nullptr ? "" : csv_cell(cluster->name));
  }
  if (!groups.has_classes()) return;
  const ClassRecord* known = groups.class_of(nucleus);
  if (known == nullptr) {
    text += ",,,,";
    return;
  }
  text += "," + csv_cell(groups.class_name_of(nucleus)) + ",";
  append_measure(text, nucleus.classified.confidence, digits);
  text += (nucleus.classified.out_of_range ? ",1," : ",0,") + csv_cell(known->name);
}

}  // namespace

void export_csv(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options,
                Compression compression) {
  const RunInfo info = store.info();
  const Measurements measured = measurements_of(info, options.features);
  ExportFile output(file, compression);
  const GroupNames groups{GroupStore(store)};
  output.write(header(measured.columns, groups));
  write_nuclei(store, measured.features, NucleusParts::measures, options, output,
               [&](std::string& text, std::int64_t id, const NucleusRecord& nucleus) {
                 append_place_of(text, id, nucleus, info);
                 append_groups(text, nucleus, groups, options.digits);
                 for (const Measurement& column : measured.columns) {
                   const double value = column.of(nucleus);
                   text += ',';
                   if (!std::isnan(value)) append_measure(text, value, options.digits);
                 }
                 text += "\r\n";
               });
  output.commit();
}

bool is_csv_export(const std::filesystem::path& file) {
  return has_columns(file, kFirstColumns) || has_columns(file, kWithoutMicrometres);
}

}  // namespace starpath::io
