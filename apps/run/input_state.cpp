// Size and time of the input's file, before and after.
#include "apps/run/input_state.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"

namespace starpath::apps {

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

std::string InputState::text() const {
  return is_file_ ? fmt::format("{} bytes of {}.{:09}", state_.st_size, state_.st_mtim.tv_sec, state_.st_mtim.tv_nsec)
                  : "";
}

}  // namespace starpath::apps
