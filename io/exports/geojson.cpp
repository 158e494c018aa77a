// Nuclei as QuPath detections.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/json_depth.hpp"
#include "io/exports/exports.hpp"
#include "io/outlines/smooth_polygon.hpp"
#include "io/results/physical_units.hpp"
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

/// Level-0 pixels of a polygon in half working pixels.
void append_geometry(std::string& text, const std::vector<Point>& polygon, double scale) {
  text += R"({"type":"Polygon","coordinates":[[)";
  for (std::size_t i = 0; i <= polygon.size(); ++i) {  // GeoJSON repeats the first vertex
    const Point p = polygon[i % polygon.size()];
    fmt::format_to(std::back_inserter(text), "{}[{},{}]", i == 0 ? "" : ",", p.x * scale / 2, p.y * scale / 2);
  }
  text += "]]}";
}

/// JSON knows finite numbers only; a measurement that is left out is one that QuPath shows as missing.
void append_measurement(std::string& text, const std::string& name, double value) {
  if (!std::isfinite(value)) return;
  fmt::format_to(std::back_inserter(text), "{}{}:{}", text.back() == '{' ? "" : ",", name, value);
}

}  // namespace

void export_geojson(const ResultStore& store, const std::filesystem::path& file) {
  const RunInfo info = store.info();
  Digest slide;
  slide.add(store.key().slide_fingerprint);
  std::vector<std::string> names;
  for (const std::string& name : info.feature_names) names.push_back(nlohmann::json(name).dump());
  const std::vector<PhysicalFeature> physical = physical_features(info.feature_names);
  std::vector<std::string> titles;
  for (const PhysicalFeature& feature : physical) titles.push_back(nlohmann::json(feature.title).dump());

  AtomicFile output(file);
  const RunKey key = store.key();
  // A member of our own, as RFC 7946 allows: how these nuclei were found.
  nlohmann::json run;
  if (!nests_deeply(key.parameters)) run = nlohmann::json::parse(key.parameters, nullptr, false);
  output.write(R"({"type":"FeatureCollection","starpath":)" +
               nlohmann::json{{"version", key.starpath_version}, {"run", run.is_discarded() ? nullptr : run}}.dump() +
               R"(,"features":[)");
  const char* separator = "\n";
  std::string text;
  store.for_each_nucleus(true, [&](std::int64_t, const NucleusRecord& nucleus) {
    text = separator;
    text += R"({"type":"Feature","id":")" + uuid(slide.value(), nucleus) + R"(","geometry":)";
    append_geometry(text, smooth_polygon(nucleus.contour), info.scale);
    text += R"(,"properties":{"objectType":"detection","measurements":{)";
    for (std::size_t i = 0; i < physical.size(); ++i)
      append_measurement(text, titles[i], physical[i].physical(nucleus.features[physical[i].feature], info.mpp));
    for (std::size_t i = 0; i < names.size(); ++i) append_measurement(text, names[i], nucleus.features[i]);
    text += "}}}";
    output.write(text);
    separator = ",\n";
  });
  output.write("\n]}\n");
  output.commit();
}

}  // namespace starpath::io
