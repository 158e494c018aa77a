// A folder that goes when its owner does.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace starpath {

/// An empty folder of its own in the system's place for temporary files ($TMPDIR).
class TemporaryFolder {
 public:
  /// Throws Error{output} when it cannot be made.
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "starpath-XXXXXX").string();
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
