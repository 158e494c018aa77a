// How users name learners.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace starpath {

/// Starpath's own.
inline constexpr std::array<std::string_view, 2> kLearners = {"knn", "linear"};

/// Whether a learner's name is the path of a library. Without a slash it is none: nothing is loaded from the current
/// folder, or from where the system's libraries are, by accident.
constexpr bool is_library_path(std::string_view name) { return name.find('/') != std::string_view::npos; }

constexpr bool is_learner(std::string_view name) {
  return is_library_path(name) || std::ranges::find(kLearners, name) != kLearners.end();
}

}  // namespace starpath
