// How files of text say what they are: tables by their columns, GeoJSON by its members.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace starpath::io {

/// Whether the first line of a CSV file, packed with gzip or not, is `columns` or goes on with further ones.
bool has_columns(const std::filesystem::path& file, std::string_view columns);

/// What the beginning of a GeoJSON file says. Members that are not there are null.
struct GeoJsonStart {
  nlohmann::json starpath;  ///< the collection's own member of this name (RFC 7946, foreign members)
  nlohmann::json feature;   ///< the first feature, where no member "starpath" comes before it
  bool is_empty = false;    ///< a collection without features
};

/// Reads the first mebibyte of a file, packed with gzip or not. Never throws but for lack of memory.
GeoJsonStart read_geojson_start(const std::filesystem::path& file);

}  // namespace starpath::io
