// The rule, and the formats that need no library.
#include "base/own_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "base/error.hpp"

namespace starpath {

namespace fs = std::filesystem;

bool is_own_file(const fs::path& file, const OutputKind& kind) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(file, error)) && kind.is_one(file);
}

std::string obstacle_to_replacing(const fs::path& file, const OutputKind& kind) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (fs::is_directory(status)) return "is a folder";
  const bool has_content = fs::is_regular_file(status) && fs::file_size(file, error) > 0;
  if (!has_content || kind.is_one(file)) return "";
  if (::access(file.c_str(), R_OK) != 0) return fmt::format("cannot be read ({})", std::strerror(errno));
  return fmt::format("is no file that `{}` wrote", kind.writer);
}

void check_may_replace(const fs::path& file, const OutputKind& kind, const std::string& remedy) {
  const std::string obstacle = obstacle_to_replacing(file, kind);
  if (!obstacle.empty()) throw Error(ErrorKind::output, fmt::format("{}: {}; {}", file.string(), obstacle, remedy));
}

std::string first_bytes(const fs::path& file, std::size_t most) {
  std::string bytes(most, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), std::ssize(bytes));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return bytes;
}

bool is_page_of(const fs::path& file, const std::string& command) {
  constexpr std::size_t head = 512;
  const std::string start = first_bytes(file, head);
  constexpr std::string_view type = "<!DOCTYPE html>\n<!-- The ";
  if (!start.starts_with(type)) return false;
  const std::string_view comment = std::string_view(start).substr(type.size());
  return comment.substr(0, comment.find("-->")).find(" of `" + command + "`.") != std::string_view::npos;
}

bool is_database_of(const fs::path& file, std::uint32_t application) {
  constexpr std::size_t at = 68;  // of the number, big-endian, in SQLite's header
  const std::string header = first_bytes(file, at + 4);
  if (header.size() < at + 4 || !header.starts_with(std::string_view("SQLite format 3\0", 16))) return false;
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8 | std::uint32_t{static_cast<unsigned char>(header[i])};
  return number == application;
}

}  // namespace starpath
