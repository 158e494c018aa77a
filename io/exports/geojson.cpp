// Nuclei as QuPath detections.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/exports/export_file.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/group_names.hpp"
#include "io/exports/measurements.hpp"
#include "io/exports/number_text.hpp"
#include "io/exports/run_json.hpp"
#include "io/exports/visit_nuclei.hpp"
#include "io/outlines/smooth_polygon.hpp"
#include "io/outputs/text_start.hpp"
#include "io/results/field_labels.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath::io {
namespace {

constexpr const char* kConfidence = R"("Class confidence":)";

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
    text += i == 0 ? "[" : ",[";
    append_place(text, p.x * scale / 2);
    text += ',';
    append_place(text, p.y * scale / 2);
    text += ']';
  }
  text += "]]}";
}

/// JSON knows finite numbers only; a measurement that is left out is one that QuPath shows as missing.
void append_measurements(std::string& text, const std::vector<Measurement>& shown, const NucleusRecord& nucleus,
                         int digits) {
  for (const Measurement& each : shown) {
    const double value = each.of(nucleus);
    if (!std::isfinite(value)) continue;
    if (text.back() != '{') text += ',';
    text += each.title;
    append_measure(text, value, digits);
  }
}

constexpr std::uint32_t number_of(Rgb colour) {
  return std::uint32_t{colour.r} << 16 | std::uint32_t{colour.g} << 8 | colour.b;
}

std::string classification(const std::string& name, std::uint32_t colour) {
  return fmt::format(R"("classification":{{"name":{},"color":[{},{},{}]}},)", name, colour >> 16, (colour >> 8) & 0xffU,
                     colour & 0xffU);
}

/// QuPath's class of a detection is its class, or its cluster where nuclei were not classified. The rest, and the
/// number that tables and labels know it by, is metadata: a map of texts, each a column of QuPath's tables.
void append_groups(std::string& text, std::int64_t id, const NucleusRecord& nucleus, const GroupNames& groups) {
  const auto quoted = [](const std::string& name) {
    return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::string metadata = fmt::format(R"("id":"{}")", id);
  const auto note = [&](const char* name, const std::string& value) {
    metadata += fmt::format(R"(,"{}":{})", name, quoted(value));
  };
  const ClassRecord* const known = groups.class_of(nucleus);
  const ClusterRecord* const cluster = groups.cluster_of(nucleus);
  if (known != nullptr && nucleus.classified.out_of_range) {
    text += classification(quoted(std::string(kOutOfRange.title)), number_of(kOutOfRange.colour));
    note("nearest_class", known->name);
  } else if (known != nullptr) {
    text += classification(quoted(known->name), known->colour);
  } else if (cluster != nullptr) {
    text += classification(quoted(cluster->name), cluster->colour);
  }
  if (known != nullptr && cluster != nullptr) note("cluster", cluster->name);
  if (const RegionRecord* region = groups.region_of(nucleus)) {
    note("region", region->name);
    if (!region->class_name.empty()) note("region_class", region->class_name);
  }
  text += R"("metadata":{)" + metadata + "},";
}

/// Up to the first feature. It has a member of our own, as RFC 7946 allows.
std::string head(const RunKey& key) {
  return R"({"type":"FeatureCollection","starpath":)" + run_json(key).dump() + R"(,"features":[)";
}

}  // namespace

void export_geojson(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options,
                    Compression compression) {
  const RunInfo info = store.info();
  const RunKey key = store.key();
  Digest slide;
  slide.add(key.slide_fingerprint);
  Measurements measured = measurements_of(info, options.features);
  for (Measurement& each : measured.shown) each.title = nlohmann::json(each.title).dump() + ":";

  const GroupNames groups{GroupStore(store)};
  ExportFile output(file, compression);
  output.write(head(key));
  write_nuclei(store, measured.features, NucleusParts::all, options, output,
               [&](std::string& text, std::int64_t id, const NucleusRecord& nucleus) {
                 text += id == 1 ? "\n" : ",\n";
                 text += R"({"type":"Feature","id":")" + uuid(slide.value(), nucleus) + R"(","geometry":)";
                 append_geometry(text, smooth_polygon(nucleus.contour), info.scale);
                 text += R"(,"properties":{"objectType":"detection",)";
                 append_groups(text, id, nucleus, groups);
                 text += R"("measurements":{)";
                 append_measurements(text, measured.shown, nucleus, options.digits);
                 if (groups.class_of(nucleus) != nullptr) {
                   text += text.back() == '{' ? kConfidence : "," + std::string(kConfidence);
                   append_measure(text, nucleus.classified.confidence, options.digits);
                 }
                 text += "}}}";
               });
  output.write("\n]}\n");
  output.commit();
}

bool is_geojson_export(const std::filesystem::path& file) {
  const GeoJsonStart start = read_geojson_start(file);
  if (start.is_empty || start.starpath.contains("run")) return true;
  // 0.1.0 wrote no member of its own, but gave its detections UUIDs of version 8, as uuid() does.
  constexpr std::size_t version = 14;
  if (!start.feature.is_object()) return false;
  const nlohmann::json id = start.feature.value("id", nlohmann::json());
  return id.is_string() && id.get_ref<const std::string&>().size() > version &&
         id.get<std::string>().substr(version, 1) == "8";
}

}  // namespace starpath::io
