// The files that a command reads: none of its outputs replaces one.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

namespace starpath {

/// The inputs of one command, which owns this object. While it lives, note_input() adds to it, and open_device(), and
/// so AtomicFile and open_in_place(), refuse to write over a file that it holds. One at a time in a process: outputs
/// are opened in many places, and each must hear of every input. In a program without one, no file is an input.
/// Thread-safe.
class InputFiles {
 public:
  InputFiles();
  ~InputFiles();
  InputFiles(const InputFiles&) = delete;
  InputFiles& operator=(const InputFiles&) = delete;

  /// What is no regular file is passed over.
  void note(const std::filesystem::path& file);
  /// Whether `file` was noted and is still there, by a link or another spelling too.
  bool holds(const std::filesystem::path& file) const;

 private:
  using FileId = std::pair<dev_t, ino_t>;

  mutable std::mutex mutex_;
  std::map<FileId, std::filesystem::path> names_;  // absolute
};

/// InputFiles::note of the object that lives. To be called by every function that reads a file that a user names. Never
/// throws but for lack of memory.
void note_input(const std::filesystem::path& file);

/// InputFiles::holds of the object that lives.
bool is_input(const std::filesystem::path& file);

/// Whether both are one regular file, or the same place of a file that is yet to be. Devices and pipes, which lose
/// nothing by being written to, are never one.
bool is_one_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace starpath
