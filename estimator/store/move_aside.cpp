// Moving a damaged or foreign profile out of the way.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "estimator/store/profile_store.hpp"

namespace starpath {
namespace {

/// Holds a lock on a file as long as it lives. Nobody else who uses this class moves that file meanwhile.
class FileLock {
 public:
  explicit FileLock(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0) ::flock(file_, LOCK_EX);
  }
  ~FileLock() {
    if (file_ >= 0) ::close(file_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Whether `path` still is the file that was locked.
  bool holds(const std::string& path) const {
    struct stat own {};
    struct stat there {};
    return file_ >= 0 && ::fstat(file_, &own) == 0 && ::stat(path.c_str(), &there) == 0 && own.st_ino == there.st_ino &&
           own.st_dev == there.st_dev;
  }

 private:
  int file_;
};

bool is_sound(const std::string& path) {
  try {
    ProfileStore(path, ProfileStore::Open::existing).load();
    return true;
  } catch (const ProfileError& error) {
    return error.reason() != ProfileError::Reason::damaged && error.reason() != ProfileError::Reason::foreign;
  }
}

}  // namespace

std::string move_aside(const std::string& path) {
  const FileLock lock(path);
  // Another process may have moved it and made a new one since the caller looked.
  if (!lock.holds(path) || is_sound(path)) return "";
  std::error_code error;
  std::string target = path + ".damaged";
  for (int n = 2; std::filesystem::exists(target, error); ++n) target = fmt::format("{}.damaged-{}", path, n);
  // A journal left behind would be played into the next profile. It goes first: once the profile is away, another
  // process may make a new one, and a journal then found here is that one's.
  for (const char* ending : {"-journal", "-wal", "-shm"})
    std::filesystem::rename(path + ending, target + ending, error);
  if (::rename(path.c_str(), target.c_str()) != 0) {
    throw ProfileError(ProfileError::Reason::unusable,
                       fmt::format("profile {}: cannot be moved aside ({})", path, std::strerror(errno)));
  }
  return target;
}

}  // namespace starpath
