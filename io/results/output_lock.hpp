// The folder of a run's results, for one job alone.
#pragma once
#include <filesystem>

namespace starpath::io {

/// A lock on `<folder>/results.lock`, held from construction to destruction or the end of the process, however that
/// ends. Rank 0 gets the folder when no process of another job has it; it also removes the file in the end. The other
/// ranks of its job join it, so that a new job waits for each of them. Readers share the folder among each other and
/// keep jobs out. A process has at most one such object for each folder.
///
/// The locks are POSIX record locks: byte r for rank r, all bytes for a reader. They hold between nodes where the file
/// system has them, as SQLite's locks on the results do.
class OutputLock {
 public:
  /// Waits up to a second for the processes of a job that has just ended. Throws Error{output} naming the process that
  /// has the folder, or WriteError when the file cannot be made or locked.
  explicit OutputLock(const std::filesystem::path& folder, int rank = 0);
  /// The same for a reader. A folder that this process cannot write into, and that has no lock yet, is not locked.
  static OutputLock for_reading(const std::filesystem::path& folder);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  enum class Use { reading, writing };
  OutputLock(const std::filesystem::path& folder, int rank, Use use);

  std::filesystem::path file_;
  int rank_;
  int descriptor_ = -1;  // -1: a reader without a lock
};

}  // namespace starpath::io
