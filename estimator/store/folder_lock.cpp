// A folder, locked with flock.
#include "estimator/store/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "estimator/store/profile_error.hpp"

namespace starpath {
namespace {

int open_folder_of(const std::string& profile) {
  const auto folder = std::filesystem::path(profile).parent_path();
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

FolderLock::FolderLock(const std::string& profile, Kind kind, int patience_ms) : folder_(open_folder_of(profile)) {
  using std::chrono::milliseconds;
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + milliseconds(patience_ms);
  const int operation = (kind == Kind::alone ? LOCK_EX : LOCK_SH) | LOCK_NB;
  while (folder_ >= 0 && ::flock(folder_, operation) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (steady_clock::now() >= end) {
      ::close(folder_);
      throw ProfileError(ProfileError::Reason::locked,
                         fmt::format("profile {}: stays locked by another process", profile));
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
}

FolderLock::~FolderLock() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace starpath
