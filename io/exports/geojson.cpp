// Nuclei as QuPath detections.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/exports/exports.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath::io {
namespace {

/// A UUID (version 8, RFC 9562) that is the same in every export: slide and first pixel tell a nucleus from all others.
std::string uuid(std::uint64_t slide, const NucleusRecord& nucleus) {
  constexpr std::uint64_t low31 = 0x7fffffffU;
  const std::uint64_t place = (std::uint64_t{1} << 63) | ((static_cast<std::uint64_t>(nucleus.first_y) & low31) << 31) |
                              (static_cast<std::uint64_t>(nucleus.first_x) & low31);
  return fmt::format("{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}", slide >> 32, (slide >> 16) & 0xffffU, slide & 0xfffU,
                     place >> 48, place & 0xffffffffffffU);
}

void append_ring(std::string& text, const Contour& ring, double scale) {
  text += "[[";
  for (std::size_t i = 0; i <= ring.size(); ++i) {  // GeoJSON repeats the first vertex
    const Point p = ring[i % ring.size()];
    fmt::format_to(std::back_inserter(text), "{}[{},{}]", i == 0 ? "" : ",", p.x * scale, p.y * scale);
  }
  text += "]]";
}

void append_geometry(std::string& text, const Contour& contour, double scale) {
  const std::vector<Contour> parts = simple_polygons(contour);
  if (parts.size() == 1) {
    text += R"({"type":"Polygon","coordinates":)";
    append_ring(text, parts.front(), scale);
  } else {
    text += R"({"type":"MultiPolygon","coordinates":[)";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) text += ',';
      append_ring(text, parts[i], scale);
    }
    text += ']';
  }
  text += '}';
}

/// JSON knows finite numbers only; a measurement that is left out is one that QuPath shows as missing.
void append_measurements(std::string& text, const std::vector<std::string>& names, const std::vector<double>& values) {
  const char* separator = "";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    fmt::format_to(std::back_inserter(text), "{}{}:{}", separator, names[i], values[i]);
    separator = ",";
  }
}

}  // namespace

void export_geojson(const ResultStore& store, const std::filesystem::path& file) {
  const RunInfo info = store.info();
  Digest slide;
  slide.add(store.key().slide_fingerprint);
  std::vector<std::string> names;
  for (const std::string& name : info.feature_names) names.push_back(nlohmann::json(name).dump());

  AtomicFile output(file);
  const RunKey key = store.key();
  // A member of our own, as RFC 7946 allows: how these nuclei were found.
  nlohmann::json run = nlohmann::json::parse(key.parameters, nullptr, false);
  output.write(R"({"type":"FeatureCollection","starpath":)" +
               nlohmann::json{{"version", key.starpath_version}, {"run", run.is_discarded() ? nullptr : run}}.dump() +
               R"(,"features":[)");
  const char* separator = "\n";
  std::string text;
  store.for_each_nucleus(true, [&](std::int64_t, const NucleusRecord& nucleus) {
    text = separator;
    text += R"({"type":"Feature","id":")" + uuid(slide.value(), nucleus) + R"(","geometry":)";
    append_geometry(text, nucleus.contour, info.scale);
    text += R"(,"properties":{"objectType":"detection","measurements":{)";
    append_measurements(text, names, nucleus.features);
    text += "}}}";
    output.write(text);
    separator = ",\n";
  });
  output.write("\n]}\n");
  output.commit();
}

}  // namespace starpath::io
