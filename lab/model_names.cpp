// Models by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "lab/model_file.hpp"

namespace starpath::lab {
namespace {

constexpr const char* kEnding = ".toml";

std::filesystem::path folder_of(const std::filesystem::path& folder, std::string_view kind) {
  return folder / fmt::format("{}s", kind);
}

}  // namespace

std::vector<std::string> model_names(const std::filesystem::path& folder, std::string_view kind) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(folder, kind), ignored))
    if (entry.path().extension() == kEnding) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::filesystem::path find_model(const std::filesystem::path& folder, std::string_view kind, const std::string& name) {
  std::filesystem::path file(name);
  if (file.has_parent_path() || file.has_extension()) {
    if (std::filesystem::exists(file)) return file;
    throw Error(ErrorKind::usage, fmt::format("{}: there is no such file", name));
  }
  const std::filesystem::path path = folder_of(folder, kind) / (name + kEnding);
  if (std::filesystem::exists(path)) return path;
  throw Error(ErrorKind::usage, fmt::format("there is no {} '{}': there are {}; or give a file (*{})", kind, name,
                                            fmt::join(model_names(folder, kind), ", "), kEnding));
}

}  // namespace starpath::lab
