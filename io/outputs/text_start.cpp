// zlib reads text that is not packed as it is.
#include "io/outputs/text_start.hpp"

#include <zlib.h>

#include <memory>
#include <string>

namespace starpath::io {
namespace {

constexpr unsigned kStart = 1U << 20;  // bytes

std::string unpacked_start(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  std::string text(kStart, '\0');
  const int count = in == nullptr ? 0 : gzread(in.get(), text.data(), kStart);
  text.resize(static_cast<std::size_t>(count > 0 ? count : 0));
  return text;
}

/// Ends the parser when enough is known.
struct Known {};

}  // namespace

bool has_columns(const std::filesystem::path& file, std::string_view columns) {
  const std::string text = unpacked_start(file);
  if (!text.starts_with(columns) || text.size() == columns.size()) return false;
  const char next = text[columns.size()];
  return next == ',' || next == '\r' || next == '\n';
}

GeoJsonStart read_geojson_start(const std::filesystem::path& file) {
  using nlohmann::json;
  GeoJsonStart start;
  std::string member;
  const auto take = [&](int depth, json::parse_event_t event, json& value) {
    if (depth == 1 && event == json::parse_event_t::key) member = value.get<std::string>();
    if (depth == 1 && event == json::parse_event_t::object_end && member == "starpath") start.starpath = value;
    if (depth == 2 && event == json::parse_event_t::object_end && member == "features") start.feature = value;
    if (!start.starpath.is_null() || !start.feature.is_null()) throw Known();
    return true;
  };
  try {
    const json all = json::parse(unpacked_start(file), take);
    start.is_empty = all.is_object() && all.value("type", json()) == "FeatureCollection" &&
                     all.value("features", json()) == json::array();
  } catch (const json::exception&) {  // no JSON: nothing is known
  } catch (const Known&) {
  }
  return start;
}

}  // namespace starpath::io
