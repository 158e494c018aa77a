// How every output of a run is opened: no link is followed, no device or pipe is replaced, and no input
// (base/input_files.hpp).
#pragma once
#include <filesystem>
#include <string>

#include "base/error.hpp"

namespace starpath {

/// "<path>: cannot be written (<reason>); <remedy>".
class WriteError : public Error {
 public:
  WriteError(const std::filesystem::path& path, int system_error);
  WriteError(const std::filesystem::path& path, std::string reason, const std::string& remedy);
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// The user has stopped the command while it waited for the reader of a pipe.
class StoppedWaiting : public WriteError {
 public:
  explicit StoppedWaiting(const std::filesystem::path& path)
      : WriteError(path, "no program reads the pipe", "start its reader first") {}
};

/// From now on no output waits for the reader of a pipe: open_device() and AtomicFile throw StoppedWaiting instead. For
/// the handler of a signal that asks a command to end: calls only what a handler may.
void stop_waiting_for_readers() noexcept;
/// Whether that was called.
bool stopped_waiting_for_readers() noexcept;

/// Opens what is at `path` when it is no regular file: a device, a pipe, a name of standard output or standard error.
/// Returns a descriptor for writing, to be closed by the caller; -1 when nothing or a regular file is there. Waits for
/// the reader of a named pipe; throws StoppedWaiting when the user stops that. Throws WriteError for an input, and for
/// anything else, as a link to a regular file: written through the link, it would change a file that the user did not
/// name.
int open_device(const std::filesystem::path& path);

/// As open_device, and empties or makes a regular file. Throws WriteError, also for a file that was opened in this way
/// and is not closed yet, in this process or another.
int open_in_place(const std::filesystem::path& path);

}  // namespace starpath
