// Metadata of arrays and groups.
#include "io/maps/zarr_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/json_depth.hpp"
#include "base/read_file.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uintmax_t kMostMetadata = std::uintmax_t{1} << 26;  // bytes
constexpr const char* kArrayOf2 = ".zarray";
constexpr const char* kGroupOf2 = ".zgroup";
constexpr const char* kAttributesOf2 = ".zattrs";
constexpr const char* kNodeOf3 = "zarr.json";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

json metadata_of(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (!error && bytes > kMostMetadata)
    fail_input(file, fmt::format("has {} bytes, more than metadata have", bytes), "write the array again");
  const std::string text = read_file(file, "check its permissions");
  json read = nests_deeply(text) ? json(json::value_t::discarded) : json::parse(text, nullptr, false);
  if (!read.is_object()) fail_input(file, "is damaged: it holds no JSON object", "write the array again");
  return read;
}

/// What a folder says of itself: an array's or a group's metadata.
struct Node {
  bool is_array;
  json metadata;
};

std::optional<Node> node_of(const fs::path& folder) {
  if (is_file(folder / kArrayOf2)) return Node{true, metadata_of(folder / kArrayOf2)};
  if (is_file(folder / kGroupOf2)) {
    json attributes = is_file(folder / kAttributesOf2) ? metadata_of(folder / kAttributesOf2) : json::object();
    return Node{false, {{"attributes", std::move(attributes)}}};
  }
  if (!is_file(folder / kNodeOf3)) return std::nullopt;
  json metadata = metadata_of(folder / kNodeOf3);
  const auto type = metadata.find("node_type");
  return Node{type != metadata.end() && *type == "array", std::move(metadata)};
}

const json* member(const json* of, const char* name) {
  if (of == nullptr || !of->is_object()) return nullptr;
  const auto found = of->find(name);
  return found == of->end() ? nullptr : &*found;
}

const json* first(const json* of) { return of != nullptr && of->is_array() && !of->empty() ? &of->front() : nullptr; }

/// Of an image of OME-Zarr, the name of the folder of its finest level.
std::optional<std::string> finest_level(const json& group) {
  const json* const attributes = member(&group, "attributes");
  const json* const ome = member(attributes, "ome");
  const json* const path =
      member(first(member(first(member(ome != nullptr ? ome : attributes, "multiscales")), "datasets")), "path");
  return path != nullptr && path->is_string() ? std::optional(path->get<std::string>()) : std::nullopt;
}

/// As `dtype` of version 2 or `data_type` of version 3 name it.
std::optional<NumberType> type_named(const std::string& name) {
  using enum NumberType;
  constexpr std::array short_names = {"b1", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"};
  constexpr std::array types = {boolean, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64};
  const bool has_order = !name.empty() && std::string_view("<>|").find(name[0]) != std::string_view::npos;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (has_order ? name.substr(1) == short_names[i] : name == name_of(types[i])) return types[i];
  return std::nullopt;
}

ZarrArray array_in(const fs::path& folder, const json& metadata) {
  const json* const of_2 = member(&metadata, "dtype");
  const json* const named = of_2 != nullptr ? of_2 : member(&metadata, "data_type");
  if (named == nullptr) fail_input(folder, "its metadata name no type of numbers", "write the array again");
  const auto type = named->is_string() ? type_named(named->get<std::string>()) : std::nullopt;
  if (!type)
    fail_input(folder, fmt::format("holds {}, which is not read", named->dump(-1, ' ', true)),
               "write numbers as uint8, int32 or float32");
  return {folder, *type};
}

/// Arrays in a group, and groups, which end in a slash; sorted.
std::vector<std::string> members_of(const fs::path& group, std::vector<Node>& arrays) {
  std::error_code failure;
  std::vector<fs::path> folders;
  for (fs::directory_iterator entry(group, failure), end; !failure && entry != end; entry.increment(failure)) {
    std::error_code unknown;
    if (entry->is_directory(unknown)) folders.push_back(entry->path());
  }
  if (failure) fail_input(group, "cannot be listed: " + failure.message(), "check its permissions");
  std::ranges::sort(folders);
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    std::optional<Node> node = node_of(folder);
    if (!node) continue;
    const json* const shape = node->is_array ? member(&node->metadata, "shape") : nullptr;
    if (node->is_array && (shape == nullptr || shape->size() < 2)) continue;
    names.push_back(folder.filename().string() + (node->is_array ? "" : "/"));
    if (node->is_array) arrays.push_back(std::move(*node));
  }
  return names;
}

}  // namespace

bool is_zarr(const std::string& path) {
  return fs::path(path).extension() == ".zarr" || is_file(fs::path(path) / kArrayOf2) ||
         is_file(fs::path(path) / kGroupOf2) || is_file(fs::path(path) / kNodeOf3);
}

ZarrArray find_zarr_array(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    fail_input(path, "is no folder", "check the path; a packed Zarr must be unpacked");
  const std::optional<Node> node = node_of(path);
  if (!node)
    fail_input(path, fmt::format("holds none of {}, {} and {}, and so is no Zarr", kArrayOf2, kGroupOf2, kNodeOf3),
               "copy all of it, hidden files too, or write it again");
  if (node->is_array) return array_in(path, node->metadata);
  if (const auto level = finest_level(node->metadata)) {
    const fs::path folder = fs::path(path) / *level;
    const bool is_inside = fs::path(*level).is_relative() && level->find("..") == std::string::npos;
    const std::optional<Node> array = is_inside ? node_of(folder) : std::nullopt;
    if (!array || !array->is_array)
      fail_input(path, fmt::format("its finest level, '{}', is no array", *level), "copy all of it, or write it again");
    return array_in(folder, array->metadata);
  }
  std::vector<Node> arrays;
  const std::vector<std::string> names = members_of(path, arrays);
  if (arrays.size() == 1 && names.size() == 1) return array_in(fs::path(path) / names[0], arrays[0].metadata);
  if (names.empty())
    fail_input(path, "is a group without an array of two or three axes", "give the folder of an array");
  fail_input(path, fmt::format("is a group that holds {}", fmt::join(names, ", ")),
             fmt::format("give the folder of one array, as {}", (fs::path(path) / names[0]).string()));
}

std::int64_t add_zarr(Digest& digest, const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> names;
  for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().lexically_relative(folder).string();
    const bool is_chunk = entry->path().filename().string()[0] != '.';
    std::error_code unknown;
    if ((is_chunk || name == kArrayOf2) && entry->is_regular_file(unknown)) names.push_back(name);
  }
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  std::ranges::sort(names);
  // As much of many chunks as of a single file.
  const std::int64_t share =
      std::max<std::int64_t>(4096, (std::int64_t{1} << 20) / static_cast<std::int64_t>(names.size() + 1));
  for (const std::string& name : names) {
    digest.add(name + "\n");
    add_file(digest, (fs::path(folder) / name).string(), share);
  }
  return std::ssize(names) - std::ranges::count(names, kArrayOf2) - std::ranges::count(names, kNodeOf3);
}

}  // namespace starpath::io
