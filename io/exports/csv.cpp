// Nuclei as a table.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>

#include "base/atomic_file.hpp"
#include "io/exports/exports.hpp"
#include "io/results/physical_units.hpp"

namespace starpath::io {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

}  // namespace

void export_csv(const ResultStore& store, const std::filesystem::path& file) {
  const RunInfo info = store.info();
  AtomicFile output(file);
  const std::vector<PhysicalFeature> physical = physical_features(info.feature_names);
  std::string text = "id,centroid_x,centroid_y,centroid_x_um,centroid_y_um,x0,y0,x1,y1,pixels";
  for (const PhysicalFeature& feature : physical) text += "," + quoted(feature.column);
  for (const std::string& name : info.feature_names) text += "," + quoted(name);
  output.write(text + "\r\n");

  store.for_each_nucleus(true, [&](std::int64_t id, const NucleusRecord& n) {
    const auto level0 = [&](auto working) { return static_cast<double>(working) * info.scale; };
    const double x = level0(n.centroid_x), y = level0(n.centroid_y);
    text.clear();
    const auto out = std::back_inserter(text);
    const auto append = [&](double value) {
      if (std::isnan(value))
        text += ',';  // an empty field: missing
      else
        fmt::format_to(out, ",{}", value);
    };
    fmt::format_to(out, "{},{},{}", id, x, y);
    for (const double centre : {x, y}) append(info.slide_mpp > 0 ? centre * info.slide_mpp : std::nan(""));
    fmt::format_to(out, ",{},{},{},{},{}", level0(n.x0), level0(n.y0), level0(n.x1), level0(n.y1), n.area);
    for (const PhysicalFeature& feature : physical) append(feature.physical(n.features[feature.feature], info.mpp));
    for (const double value : n.features) append(value);
    output.write(text + "\r\n");
  });
  output.commit();
}

}  // namespace starpath::io
