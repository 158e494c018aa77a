// Moving a damaged profile out of the way.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "estimator/store/folder_lock.hpp"
#include "estimator/store/profile_store.hpp"

namespace starpath {
namespace {

bool is_damaged(const std::string& path) {
  try {
    ProfileStore::Settings settings;
    settings.locks_folder = false;  // held already
    ProfileStore(path, ProfileStore::Open::existing, settings).load();
    return false;
  } catch (const ProfileError& error) {
    return error.reason() == ProfileError::Reason::damaged;
  }
}

}  // namespace

std::string move_aside(const std::string& path) {
  const FolderLock lock(path, FolderLock::Kind::alone, ProfileStore::Settings().patience_ms);
  std::error_code error;
  // Another process may have moved it and made a new one since the caller looked.
  if (!is_damaged(path)) return "";
  std::string target = path + ".damaged";
  for (int n = 2; std::filesystem::exists(target, error); ++n) target = fmt::format("{}.damaged-{}", path, n);
  // A journal left behind would be played into the next profile. It goes first: a process killed between the two moves
  // leaves nothing that harms.
  for (const char* ending : {"-journal", "-wal", "-shm"})
    std::filesystem::rename(path + ending, target + ending, error);
  if (::rename(path.c_str(), target.c_str()) != 0) {
    throw ProfileError(ProfileError::Reason::unusable,
                       fmt::format("profile {}: cannot be moved aside ({})", path, std::strerror(errno)));
  }
  return target;
}

}  // namespace starpath
