// Text to a file.
#pragma once
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/output_file.hpp"

namespace starpath {

/// Replaces what is in the file. Throws WriteError when that fails; then it may hold a part.
inline void write_text(const std::filesystem::path& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw WriteError(path, errno != 0 ? errno : EIO);
}

}  // namespace starpath
