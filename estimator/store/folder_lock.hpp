// A lock between processes on the folder that a profile lies in.
#pragma once
#include <string>

namespace starpath {

/// Held from construction to destruction: shared by all who have a profile open, alone by who moves one aside. Without
/// it, SQLite may have a damaged file open while that is moved away, find the journal of the new file under the old
/// name, and play it into the wrong file (https://www.sqlite.org/howtocorrupt.html).
/// The lock is flock's, on the folder itself: it needs no file of its own and works where nothing can be written. On a
/// file system without flock for folders, and without the folder, nothing is held and nobody waits.
class FolderLock {
 public:
  enum class Kind { shared, alone };

  /// Waits up to `patience_ms` milliseconds for others. Throws ProfileError{locked} after that.
  FolderLock(const std::string& profile, Kind kind, int patience_ms);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

}  // namespace starpath
