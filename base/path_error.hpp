// Turns an error of std::filesystem into one of ours.
#pragma once
#include <cerrno>
#include <filesystem>

#include "base/output_file.hpp"
#include "base/read_file.hpp"

namespace starpath {

/// Error{output} when a file system has no room or is read-only. Else Error{input}, because most calls only look at a
/// path.
inline Error path_error(const std::filesystem::filesystem_error& error) {
  const std::filesystem::path path = error.path1().empty() ? "." : error.path1();  // the working folder has no name
  const int code = error.code().value();
  if (code == ENOSPC || code == EDQUOT || code == EROFS) return WriteError(path, code);
  return ReadError(path, code);
}

}  // namespace starpath
