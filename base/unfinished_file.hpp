// Files that a process must not leave behind when a signal ends it.
#pragma once
#include <string>

namespace starpath {

struct UnfinishedPath;

/// While it lives, remove_unfinished_files() removes the file at `path`. The owner's path is absolute, or the process
/// stays in its folder. Thread-safe.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

 private:
  UnfinishedPath* entry_;
};

/// For a handler of a signal that ends the process: calls only what a handler may.
void remove_unfinished_files() noexcept;

}  // namespace starpath
