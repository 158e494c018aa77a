// A folder that goes when its owner does.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace starpath {

/// An empty folder of its own in the system's place for temporary files ($TMPDIR).
class TemporaryFolder {
 public:
  /// Throws Error{output} when it cannot be made.
  TemporaryFolder() {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::temp_directory_path(error);
    if (error) {
      const char* chosen = std::getenv("TMPDIR");
      throw Error(ErrorKind::output, std::string("TMPDIR=") + (chosen == nullptr ? "" : chosen) + ": is no folder (" +
                                         error.message() + "); set TMPDIR to one, or unset it");
    }
    std::string name = (place / "starpath-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::output, "cannot create a temporary folder like " + name + " (TMPDIR chooses where)");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace starpath
