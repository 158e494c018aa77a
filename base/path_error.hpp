// What std::filesystem could not do with a path, as one of our errors.
#pragma once
#include <cerrno>
#include <filesystem>

#include "base/output_file.hpp"
#include "base/read_file.hpp"

namespace starpath {

/// Error{output} where a file system has no room or is read-only, else Error{input}: most paths are looked at only.
inline Error path_error(const std::filesystem::filesystem_error& error) {
  const std::filesystem::path path = error.path1().empty() ? "." : error.path1();  // the working folder has no name
  const int code = error.code().value();
  if (code == ENOSPC || code == EDQUOT || code == EROFS) return WriteError(path, code);
  return ReadError(path, code);
}

}  // namespace starpath
