// Size and time of the input's file, before and after.
#include "runs/input_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath {

namespace {

std::string text_of(const struct stat& state) {
  return fmt::format("{} bytes of {}.{:09}", state.st_size, state.st_mtim.tv_sec, state.st_mtim.tv_nsec);
}

/// Of the files in a folder, one level deep as tiles are read. Hidden ones are passed over. Empty for what is no
/// folder.
std::string text_of_folder(const std::string& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string()[0] != '.') paths.push_back(entry->path());
  std::ranges::sort(paths);
  io::Digest digest;
  std::int64_t files = 0;
  for (const std::filesystem::path& path : paths) {
    struct stat state {};
    if (stat(path.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) continue;
    digest.add(fmt::format("{}: {}\n", path.filename().string(), text_of(state)));
    ++files;
  }
  return files == 0 ? "" : fmt::format("{} files {}", files, digest.hex());
}

}  // namespace

InputState::InputState(std::string input)
    : input_(std::move(input)), is_file_(stat(input_.c_str(), &state_) == 0 && S_ISREG(state_.st_mode)) {}

void InputState::check_unchanged() const {
  if (!is_file_) return;
  struct stat now {};
  const bool same = stat(input_.c_str(), &now) == 0 && now.st_dev == state_.st_dev && now.st_ino == state_.st_ino &&
                    now.st_size == state_.st_size && now.st_mtim.tv_sec == state_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == state_.st_mtim.tv_nsec;
  if (!same)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: was changed or replaced while it was read, so results.sqlite mixes two slides; run again "
                    "with --overwrite",
                    input_));
}

std::string InputState::text() const { return is_file_ ? text_of(state_) : text_of_folder(input_); }

}  // namespace starpath
