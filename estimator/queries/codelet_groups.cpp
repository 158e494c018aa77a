// Names of features, and a codelet's groups.
#include "estimator/queries/codelet_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "estimator/store/machine_profile.hpp"

namespace starpath {
namespace {

using Reason = ProfileError::Reason;

/// Empty where the error says so itself.
std::string_view remedy_of(Reason reason) {
  switch (reason) {
    case Reason::missing:
      return "check the path, or make it by `starpath profile run` or `starpath profile import`";
    case Reason::damaged:
      return "move it away and measure again by `starpath profile run`";
    case Reason::foreign:
      return "give --profile a file that `starpath profile run` or `starpath profile import` made";
    case Reason::newer:
      return "use that version, or another --profile";
    case Reason::locked:
      return "wait until that has finished";
    case Reason::read_only:
      return "make the file and its folder writable, or give another --profile";
    case Reason::full:
      return "free some space and try again";
    case Reason::unreadable:
    case Reason::unusable:
      return "";
  }
  return "";
}

}  // namespace

std::string profile_of_command(const std::string& given, bool adds) {
  if (given == "none") throw Error(ErrorKind::usage, "no profile: STARPATH_PROFILE is none; give --profile a file");
  if (!given.empty()) return given;
  std::string own = machine_profile();
  if (own.empty())
    throw Error(ErrorKind::usage,
                "no profile: neither XDG_DATA_HOME nor HOME says where this machine's own lies; give --profile a file");
  std::error_code ignored;  // what fails here fails when the file is made
  if (adds) std::filesystem::create_directories(std::filesystem::path(own).parent_path(), ignored);
  return own;
}

ProfileStore open_profile(const std::string& profile, ProfileStore::Open how) try {
  return {profile, how};
} catch (const ProfileError& error) {
  const std::string_view remedy = remedy_of(error.reason());
  throw Error(error.kind(), remedy.empty() ? error.what() : fmt::format("{}; {}", error.what(), remedy));
}

std::string numeric_name(const ProfileGroup& group, std::size_t i) {
  return i < group.numeric_names.size() ? group.numeric_names[i] : fmt::format("p{}", i);
}

std::string categorical_name(const ProfileGroup& group, std::size_t i) {
  return i < group.categorical_names.size() ? group.categorical_names[i] : fmt::format("c{}", i);
}

std::vector<ProfileGroup> load_codelet(const std::string& profile, const std::string& codelet) {
  const ProfileStore store = open_profile(profile, ProfileStore::Open::existing);
  if (auto groups = store.load(codelet); !groups.empty() && !codelet.empty()) return groups;
  std::set<std::string> names;
  for (const auto& summary : store.list()) names.insert(summary.group.codelet);
  throw Error(ErrorKind::usage, fmt::format("profile {}: no samples of codelet '{}'; it has {}", profile, codelet,
                                            names.empty() ? "none at all" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace starpath
