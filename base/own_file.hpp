// Which files Starpath may replace: those that say themselves that Starpath wrote them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace starpath {

/// One kind of output. A file is of this kind when it says so in a way that the format defines: by a title, by the
/// names of columns, by a member of JSON. The name of a file says nothing.
struct OutputKind {
  const char* writer;                                 ///< the command that errors name
  bool (*is_one)(const std::filesystem::path& file);  ///< asked for regular files that are not empty; never throws
};

/// An output by its name in a folder.
struct NamedOutput {
  const char* name;
  OutputKind kind;
};

/// Whether `file` is a regular file, and no link, of this kind.
bool is_own_file(const std::filesystem::path& file, const OutputKind& kind);

/// Why `file` must not be replaced: "is a folder", "cannot be read (REASON)", or "is no file that `WRITER` wrote" for
/// content that is not of this kind. "" if it may be: an empty file, and a place where nothing is. Devices, pipes and
/// links are left to open_device() (base/output_file.hpp).
std::string obstacle_to_replacing(const std::filesystem::path& file, const OutputKind& kind);

/// Asked before the work, and again before the file is written. Throws Error{output} "FILE: OBSTACLE; REMEDY".
void check_may_replace(const std::filesystem::path& file, const OutputKind& kind,
                       const std::string& remedy = "move it away");

/// At most `most` bytes from the beginning of a file; none when it cannot be read.
std::string first_bytes(const std::filesystem::path& file, std::size_t most);

/// Whether a page for browsers names `command` in the comment below its document type.
bool is_page_of(const std::filesystem::path& file, const std::string& command);

/// Whether a file is an SQLite database whose header holds this application's number.
bool is_database_of(const std::filesystem::path& file, std::uint32_t application);

}  // namespace starpath
