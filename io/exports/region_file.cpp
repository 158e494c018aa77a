// The text of features.
#include "io/exports/region_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace starpath::io {

RegionFile::RegionFile(AtomicFile& file, const CellGrid& grid, Decimals decimals)
    : file_(file), grid_(grid), decimals_(decimals) {
  file_.write(kRegionFileStart);
}

void RegionFile::append_ring(std::string& text, const Contour& ring) const {
  const auto append_place = [&](int vertex, std::int64_t slide) {
    const double place = std::min(static_cast<double>(vertex * grid_.side) * grid_.scale, static_cast<double>(slide));
    if (decimals_ == Decimals::one)
      fmt::format_to(std::back_inserter(text), "{:.1f}", place);
    else
      fmt::format_to(std::back_inserter(text), "{}", place);
  };
  text += '[';
  for (std::size_t i = 0; i <= ring.size(); ++i) {  // GeoJSON repeats the first vertex
    const Point p = ring[i % ring.size()];
    text += i == 0 ? "[" : ",[";
    append_place(p.x, grid_.slide_width);
    text += ',';
    append_place(p.y, grid_.slide_height);
    text += ']';
  }
  text += ']';
}

void RegionFile::add(const GridRegion& region, const FieldLabel& label, const std::string& measurements) {
  std::string text = separator_;
  text += R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[)";
  for (std::size_t i = 0; i < region.rings.size(); ++i) {
    if (i > 0) text += ',';
    append_ring(text, region.rings[i]);
  }
  fmt::format_to(std::back_inserter(text),
                 R"(]}},"properties":{{"objectType":"annotation","classification":{{"name":"{}","color":[{},{},{}]}})",
                 label.title, label.colour.r, label.colour.g, label.colour.b);
  if (!measurements.empty()) text += R"(,"measurements":{)" + measurements + '}';
  file_.write(text + "}}");
  separator_ = ",\n";
}

void RegionFile::finish() { file_.write("\n]}\n"); }

}  // namespace starpath::io
