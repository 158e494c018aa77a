// Names of features, and a codelet's groups.
#include "apps/profile/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/error.hpp"

namespace starpath::apps {

std::string numeric_name(const ProfileGroup& group, std::size_t i) {
  return i < group.numeric_names.size() ? group.numeric_names[i] : fmt::format("p{}", i);
}

std::string categorical_name(const ProfileGroup& group, std::size_t i) {
  return i < group.categorical_names.size() ? group.categorical_names[i] : fmt::format("c{}", i);
}

std::vector<ProfileGroup> load_codelet(const std::string& profile, const std::string& codelet) {
  const ProfileStore store(profile, ProfileStore::Open::existing);
  if (auto groups = store.load(codelet); !groups.empty() && !codelet.empty()) return groups;
  std::set<std::string> names;
  for (const auto& summary : store.list()) names.insert(summary.group.codelet);
  throw Error(ErrorKind::usage, fmt::format("profile {}: no samples of codelet '{}'; it has {}", profile, codelet,
                                            names.empty() ? "none at all" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace starpath::apps
