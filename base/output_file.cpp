// How every output of a run is opened.
#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/input_files.hpp"

namespace starpath {
namespace {

const char* remedy_of(int system_error) {
  switch (system_error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space or choose another folder";
    case EROFS:
    case EACCES:
    case EPERM:
      return "make the folder writable or choose another one";
    case ENOENT:
    case ENOTDIR:
      return "make the folder first or choose another one";
    default:
      return "check the disk or choose another folder";
  }
}

static_assert(std::atomic<bool>::is_always_lock_free, "a handler of signals writes it");
std::atomic<bool> stopped_waiting{false};

/// Opens a named pipe for writing when it has a reader.
int open_pipe(const std::filesystem::path& path) {
  constexpr std::chrono::milliseconds pause(20);
  for (;; std::this_thread::sleep_for(pause)) {
    // Without O_NONBLOCK, open() waits for the reader, and a handler with SA_RESTART does not end that.
    const int file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0) {
      ::fcntl(file, F_SETFL, O_WRONLY);
      return file;
    }
    if (errno != ENXIO && errno != EINTR) throw WriteError(path, errno);
    if (stopped_waiting) throw StoppedWaiting(path);
  }
}

/// Standard output or standard error when `path` is a name of it, else -1.
int standard_stream_at(const std::filesystem::path& path) {
  struct stat wanted {
  }, open{};
  if (::stat(path.c_str(), &wanted) != 0) return -1;
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    if (::fstat(stream, &open) == 0 && open.st_dev == wanted.st_dev && open.st_ino == wanted.st_ino) return stream;
  return -1;
}

}  // namespace

WriteError::WriteError(const std::filesystem::path& path, int system_error)
    : WriteError(path, std::strerror(system_error), remedy_of(system_error)) {}

WriteError::WriteError(const std::filesystem::path& path, std::string reason, const std::string& remedy)
    : Error(ErrorKind::output, fmt::format("{}: cannot be written ({}); {}", path.string(), reason, remedy)),
      reason_(std::move(reason)) {}

void stop_waiting_for_readers() noexcept { stopped_waiting = true; }
bool stopped_waiting_for_readers() noexcept { return stopped_waiting; }

int open_device(const std::filesystem::path& path) {
  if (is_input(path)) throw WriteError(path, "it is read here", "give the output another name");
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return -1;
  // A copy of the descriptor, so that both go on where the other has stopped when the stream is a file.
  if (const int stream = standard_stream_at(path); stream >= 0) return ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
  if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) return open_pipe(path);
  const int file = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (file < 0 && errno != ENOENT) throw WriteError(path, errno);
  if (file >= 0 && ::fstat(file, &status) == 0 && !S_ISREG(status.st_mode)) return file;
  if (file >= 0) ::close(file);
  throw WriteError(path, "is a symbolic link", "name the file itself or remove the link");
}

int open_in_place(const std::filesystem::path& path) {
  if (const int device = open_device(path); device >= 0) return device;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0666);
  if (file < 0) throw WriteError(path, errno);
  // Some file systems have no locks.
  const bool is_taken = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!is_taken && ::ftruncate(file, 0) == 0) return file;
  const int reason = errno;
  ::close(file);
  if (is_taken) throw WriteError(path, "it is being written already", "name another file");
  throw WriteError(path, reason);
}

}  // namespace starpath
