// A file that appears under its name complete or not at all.
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>
#include <string>
#include <utility>

#include "base/output_file.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

bool is_part_of(const fs::path& path, const std::string& name) {
  const std::string start = path.filename().string() + ".", end = ".part";
  constexpr std::size_t digits = 8;
  return name.size() == start.size() + digits + end.size() && name.starts_with(start) && name.ends_with(end) &&
         name.find_first_not_of("0123456789abcdef", start.size()) == name.size() - end.size();
}

/// Removes what killed programs left of `path`: parts that nobody has locked.
void remove_abandoned_parts(const fs::path& path) {
  std::error_code error;
  const fs::path folder = path.parent_path();
  fs::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path part = entry->path();
    if (!is_part_of(path, part.filename().string())) continue;
    const int file = ::open(part.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(part.c_str());
    ::close(file);
  }
}

/// Waits until a pipe takes PIPE_BUF bytes. False when the user stops the command first.
bool wait_for_room(int pipe) {
  constexpr int pause = 20;  // milliseconds
  pollfd wanted{pipe, POLLOUT, 0};
  while (::poll(&wanted, 1, pause) <= 0)
    if (stopped_waiting_for_readers()) return false;
  return true;
}

/// Marks a part as in use. False when another process took it for an abandoned one before.
bool claim(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;  // without locks nobody can take it either
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw WriteError(folder, errno);
  // EINVAL: a file system that has no such operation for folders, and nothing to wait for.
  const int error = ::fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
  ::close(descriptor);
  if (error != 0) throw WriteError(folder, error);
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), file_(open_device(path_)) {
  if (file_ < 0) make_part();
  struct stat status {};
  is_pipe_ = ::fstat(file_, &status) == 0 && S_ISFIFO(status.st_mode);
}

AtomicFile::AtomicFile(fs::path path, const OutputKind& kind)
    : AtomicFile((check_may_replace(path, kind), std::move(path))) {
  kind_ = kind;
}

void AtomicFile::make_part() {
  remove_abandoned_parts(path_);
  std::random_device random;
  for (;;) {
    part_ = fmt::format("{}.{:08x}.part", path_.string(), random());
    unfinished_.emplace(part_.string());  // before it is there: a signal may come at once
    file_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == EEXIST) continue;
    if (file_ < 0) throw WriteError(path_, errno);
    if (claim(file_)) return;
    ::close(file_);
  }
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  if (!part_.empty()) ::unlink(part_.c_str());
  ::close(file_);
}

bool AtomicFile::try_write(const void* data, std::size_t size) noexcept {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0 && error_ == 0) {
    if (is_pipe_ && !wait_for_room(file_)) {
      error_ = ECANCELED;
      break;
    }
    const ssize_t written = ::write(file_, bytes, is_pipe_ ? std::min<std::size_t>(size, PIPE_BUF) : size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
      break;
    }
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return error_ == 0;
}

std::int64_t AtomicFile::try_seek(std::int64_t offset, int whence) noexcept {
  const off_t position = ::lseek(file_, offset, whence);
  if (position < 0 && error_ == 0) error_ = errno;
  return position;
}

std::int64_t AtomicFile::try_read(void* data, std::size_t size) noexcept {
  const ssize_t count = ::read(file_, data, size);
  if (count < 0 && error_ == 0) error_ = errno;
  return count;
}

void AtomicFile::check() const {
  if (error_ == ECANCELED) throw StoppedWaiting(path_);
  if (error_ != 0) throw WriteError(path_, error_);
}

void AtomicFile::write(std::string_view bytes) {
  try_write(bytes.data(), bytes.size());
  check();
}

void AtomicFile::commit() {
  check();
  if (kind_) check_may_replace(path_, *kind_);
  if (!part_.empty()) {
    if (::fsync(file_) != 0) throw WriteError(path_, errno);
    if (std::rename(part_.c_str(), path_.c_str()) != 0) throw WriteError(path_, errno);
    unfinished_.reset();
  }
  // A failing close has nothing left to lose after fsync.
  ::close(std::exchange(file_, -1));
  if (!part_.empty()) sync_folder(path_.parent_path());
}

}  // namespace starpath
