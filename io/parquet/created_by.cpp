// The end of the footer. Source: "Thrift compact protocol encoding", Apache Thrift.
#include "io/parquet/created_by.hpp"

#include <cstdint>
#include <fstream>
#include <string_view>

namespace starpath::io {
namespace {

/// The footer lies in front of its length and "PAR1". Those of slides have some kilobytes.
std::string footer_of(const std::filesystem::path& file) {
  constexpr std::uint32_t most = 1U << 26;
  std::ifstream in(file, std::ios::binary);
  std::uint32_t size = 0;
  char magic[4] = {};
  if (!in.seekg(-8, std::ios::end) || !in.read(reinterpret_cast<char*>(&size), sizeof size) ||
      !in.read(magic, sizeof magic) || std::string_view(magic, 4) != "PAR1")
    return {};
  if (size > most || !in.seekg(-8 - static_cast<std::streamoff>(size), std::ios::end)) return {};
  std::string footer(size, '\0');
  return in.read(footer.data(), size) ? footer : std::string();
}

}  // namespace

bool is_parquet_of(const std::filesystem::path& file, const std::string& program) {
  const std::string footer = footer_of(file);
  // The field before it is there too, so that its number is one more; then come the type, the length and the text.
  const std::string created_by = "\x18" + std::string(1, static_cast<char>(program.size())) + program;
  const std::size_t at = footer.rfind(created_by + '\x19');
  if (at == std::string::npos) return false;
  // The orders of the columns follow, a list: a head of three bytes at most, and the same bytes for each column.
  return footer.find_last_not_of(std::string_view("\x1c\0", 2)) <= at + created_by.size() + 3;
}

}  // namespace starpath::io
