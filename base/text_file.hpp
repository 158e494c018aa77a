// Text to a file.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"

namespace starpath {

/// Replaces what is in the file. Throws Error{output} when that fails; then it may hold a part.
inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::output, "cannot write " + path.string());
}

}  // namespace starpath
