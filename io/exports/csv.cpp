// Nuclei as a table.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>

#include "base/atomic_file.hpp"
#include "io/exports/exports.hpp"

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
  std::string text = "id,centroid_x,centroid_y";
  if (info.slide_mpp > 0) text += ",centroid_x_um,centroid_y_um";
  text += ",x0,y0,x1,y1,pixels";
  for (const std::string& name : info.feature_names) text += "," + quoted(name);
  output.write(text + "\r\n");

  store.for_each_nucleus(true, [&](std::int64_t id, const NucleusRecord& n) {
    const auto level0 = [&](auto working) { return static_cast<double>(working) * info.scale; };
    const double x = level0(n.centroid_x), y = level0(n.centroid_y);
    text.clear();
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{},{},{}", id, x, y);
    if (info.slide_mpp > 0) fmt::format_to(out, ",{},{}", x * info.slide_mpp, y * info.slide_mpp);
    fmt::format_to(out, ",{},{},{},{},{}", level0(n.x0), level0(n.y0), level0(n.x1), level0(n.y1), n.area);
    for (const double value : n.features) {
      if (std::isnan(value)) {
        text += ',';  // an empty field: missing
      } else {
        fmt::format_to(out, ",{}", value);
      }
    }
    output.write(text + "\r\n");
  });
  output.commit();
}

}  // namespace starpath::io
