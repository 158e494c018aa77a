// What SQLite and the file say of a profile that cannot be used.
#include "estimator/store/profile_error.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace starpath {
namespace {

using Reason = ProfileError::Reason;

ErrorKind kind_of(Reason reason) {
  switch (reason) {
    case Reason::missing:
    case Reason::unreadable:
      return ErrorKind::input;
    case Reason::damaged:
    case Reason::foreign:
    case Reason::newer:
      return ErrorKind::mismatch;
    default:
      return ErrorKind::output;
  }
}

}  // namespace

ProfileError::ProfileError(Reason reason, const std::string& message)
    : Error(kind_of(reason), message), reason_(reason) {}

bool has_marks_of_profile(const std::string& path) {
  std::array<char, 4096> page{};
  std::ifstream(path, std::ios::binary).read(page.data(), page.size());
  const std::string_view text(page.data(), page.size());
  std::uint32_t application = 0;
  for (std::size_t i = 68; i < 72; ++i) application = application << 8 | static_cast<unsigned char>(page[i]);
  return application == kProfileApplication ||
         (text.starts_with("SQLite format 3") && text.find("CREATE TABLE groups") != std::string_view::npos &&
          text.find("CREATE TABLE samples") != std::string_view::npos);
}

ProfileError explain(const std::string& path, const DatabaseError& error) {
  switch (error.code() & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      if (has_marks_of_profile(path)) return {Reason::damaged, fmt::format("profile {}: is damaged", path)};
      return {Reason::foreign, fmt::format("profile {}: is {}", path,
                                           error.code() == SQLITE_NOTADB ? "no SQLite database"
                                                                         : "a damaged database of something else")};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Reason::locked, fmt::format("profile {}: stays locked by another process", path)};
    case SQLITE_READONLY:
      return {Reason::read_only, fmt::format("profile {}: is read-only", path)};
    case SQLITE_FULL:
      return {Reason::full, fmt::format("profile {}: no space left on the disk", path)};
    default:
      return {error.kind() == ErrorKind::input ? Reason::unreadable : Reason::unusable,
              fmt::format("profile {}", error.what())};
  }
}

}  // namespace starpath
