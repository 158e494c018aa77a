// The folder of a run's results, for one job alone.
#pragma once
#include <filesystem>

namespace starpath::io {

/// A lock on `<folder>/results.lock`, held from construction to destruction or the end of the process, however that
/// ends. Rank 0 gets the folder when no process of another job has it; it also removes the file in the end. The other
/// ranks of its job join it, so that a new job waits for each of them. One object a process and folder.
///
/// The locks are POSIX record locks: byte r for rank r. They hold between nodes where the file system has them, as
/// SQLite's locks on the results do.
class OutputLock {
 public:
  /// Waits up to a second for the processes of a job that has just ended. Throws Error{output} naming the process that
  /// has the folder, or WriteError when the file cannot be made or locked.
  explicit OutputLock(const std::filesystem::path& folder, int rank = 0);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::filesystem::path file_;
  int rank_;
  int descriptor_ = -1;
};

}  // namespace starpath::io
