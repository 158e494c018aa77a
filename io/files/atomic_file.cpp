// A file that appears under its name complete or not at all.
#include "io/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace starpath::io {
namespace {

const char* remedy(int system_error) {
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

}  // namespace

void throw_write_error(const std::filesystem::path& path, int system_error) {
  throw Error(ErrorKind::output, fmt::format("{}: cannot be written ({}); {}", path.string(),
                                             std::strerror(system_error), remedy(system_error)));
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw_write_error(folder, errno);
  // EINVAL: a file system that has no such operation for folders, and nothing to wait for.
  const int error = ::fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
  ::close(descriptor);
  if (error != 0) throw_write_error(folder, error);
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), part_(path_) {
  part_ += ".part";
  file_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) throw_write_error(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(part_.c_str());
}

bool AtomicFile::try_write(const void* data, std::size_t size) noexcept {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0 && error_ == 0) {
    const ssize_t written = ::write(file_, bytes, size);
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
  if (error_ != 0) throw_write_error(path_, error_);
}

void AtomicFile::write(std::string_view bytes) {
  try_write(bytes.data(), bytes.size());
  check();
}

void AtomicFile::commit() {
  check();
  if (::fsync(file_) != 0) throw_write_error(path_, errno);
  if (std::rename(part_.c_str(), path_.c_str()) != 0) throw_write_error(path_, errno);
  // A failing close has nothing left to lose after fsync.
  ::close(std::exchange(file_, -1));
  sync_folder(path_.parent_path());
}

}  // namespace starpath::io
