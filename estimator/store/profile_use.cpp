// A profile in the service of an estimator.
#include "estimator/store/profile_use.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "estimator/store/parameter_names.hpp"

namespace starpath {
namespace {

using Reason = ProfileError::Reason;

constexpr int kLoadPatienceMs = 1000;  // a run waits for it

std::vector<std::string> first_names(const std::vector<std::string>& names, std::size_t count) {
  return {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(count, names.size()))};
}

/// `place(i, features)`: the class of a sample of `classes[i]`; nullopt leaves it out.
template <class Place>
void teach_places(Estimator& estimator, std::span<const ProfileGroup> groups, std::span<const std::string> classes,
                  Place place) {
  std::map<std::string_view, std::vector<Sample>> samples;  // by codelet: all classes at once
  for (const ProfileGroup& group : groups) {
    const auto found = std::ranges::find(classes, group.device_class);
    if (found == classes.end()) continue;
    const auto id = static_cast<unsigned>(found - classes.begin());
    std::vector<Sample>& taught = samples[group.codelet];
    for (const SampleSet::Entry& entry : group.samples) {
      if (const std::optional<unsigned> at = place(id, entry.features))
        taught.push_back({.features = entry.features, .device_class = *at, .seconds = entry.seconds});
    }
  }
  for (const auto& [codelet, taught] : samples) estimator.learn(estimator.codelet(codelet), taught);
}

}  // namespace

void teach(Estimator& estimator, std::span<const ProfileGroup> groups, std::span<const std::string> classes) {
  teach_places(estimator, groups, classes, [](unsigned id, const Features&) { return std::optional(id); });
}

void teach_apart(Estimator& estimator, std::span<const ProfileGroup> groups, std::span<const std::string> classes,
                 unsigned implementations) {
  teach_places(estimator, groups, classes, [&](unsigned id, const Features& features) {
    const std::int64_t implementation = features.categorical[0];
    return implementation >= 0 && implementation < implementations
               ? std::optional(static_cast<unsigned>(implementation) * static_cast<unsigned>(classes.size()) + id)
               : std::nullopt;
  });
}

void ProfileUse::trouble(const std::string& line) {
  if (!reported_) report_(line);
  reported_ = true;
}

void ProfileUse::move_aside_and_report(const ProfileError& error) {
  const std::string target = move_aside(file_);
  if (!target.empty()) trouble(fmt::format("{}; moved to {}, going on without its samples", error.what(), target));
}

template <class Result>
Result ProfileUse::read(Result (*what)(const ProfileStore& store, const std::string& codelet),
                        const std::string& codelet) {
  if (!reads_) return {};
  try {
    ProfileStore::Settings settings;
    settings.patience_ms = kLoadPatienceMs;
    return what(ProfileStore(file_, ProfileStore::Open::existing, settings), codelet);
  } catch (const ProfileError& error) {
    reads_ = false;
    if (error.reason() == Reason::missing && (adds_ || of_machine_)) return {};
    try {
      if (error.reason() == Reason::damaged) {
        move_aside_and_report(error);
        return {};
      }
      trouble(fmt::format("{}; going on without it", error.what()));
    } catch (const ProfileError& immovable) {
      trouble(fmt::format("{}; going on without it", immovable.what()));
    }
    // A lock may be gone by the end of the run. Anything else stays.
    if (error.reason() != Reason::locked) adds_ = false;
    return {};
  }
}

std::vector<ProfileStore::Summary> ProfileUse::list() {
  return read<std::vector<ProfileStore::Summary>>([](const ProfileStore& store, auto&) { return store.list(); }, "");
}

std::vector<ProfileGroup> ProfileUse::load(const std::string& codelet) {
  return read<std::vector<ProfileGroup>>(
      [](const ProfileStore& store, const std::string& wanted) { return store.load(wanted); }, codelet);
}

std::vector<ProfileGroup> ProfileUse::meet(const std::string& codelet, std::vector<std::string> numeric,
                                           std::vector<std::string> categorical) {
  std::vector<ProfileGroup> groups = codelet.empty() ? std::vector<ProfileGroup>() : load(codelet);
  const auto other = std::ranges::partition(
      groups, [&](const ProfileGroup& group) { return same_parameters(group.numeric_names, numeric); });
  if (!other.empty()) {
    trouble(
        fmt::format("profile {}: the samples of codelet '{}' have other parameters ({}) than its tasks have today "
                    "({}); going on without them",
                    file_, codelet, fmt::join(other.front().numeric_names, ", "),
                    fmt::join(first_names(numeric, other.front().numeric_names.size()), ", ")));
  }
  groups.erase(other.begin(), other.end());
  names_.try_emplace(codelet, Names{std::move(numeric), std::move(categorical)});
  return groups;
}

void ProfileUse::collect(const std::string& codelet, const std::string& device_class, const Features& features,
                         double seconds) {
  if (!adds_) return;
  auto& set = fresh_.try_emplace({codelet, device_class}, ProfileStore::kCapacity, fresh_.size()).first->second;
  set.add(features, seconds, Scale{});
}

std::vector<ProfileGroup> ProfileUse::collected() const {
  std::vector<ProfileGroup> groups;
  for (const auto& [key, set] : fresh_) {
    std::size_t numeric = 0;
    std::size_t categorical = 0;
    for (const SampleSet::Entry& entry : set.entries()) {
      numeric = std::max<std::size_t>(numeric, entry.features.numeric_count);
      categorical = std::max<std::size_t>(categorical, entry.features.categorical_count);
    }
    const auto names = names_.find(key.first);
    const Names known = names != names_.end() ? names->second : Names{};
    groups.push_back({.codelet = key.first,
                      .device_class = key.second,
                      .numeric_names = first_names(known.numeric, numeric),
                      .categorical_names = first_names(known.categorical, categorical),
                      .samples = set.entries(),
                      .offered = set.offered()});
  }
  return groups;
}

void ProfileUse::save() {
  if (!adds_ || fresh_.empty()) return;
  const std::vector<ProfileGroup> groups = collected();
  fresh_.clear();
  std::error_code ignored;  // what fails here fails below, too
  if (of_machine_) std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), ignored);
  try {
    try {
      ProfileStore(file_, ProfileStore::Open::create).append(groups);
    } catch (const ProfileError& error) {
      if (error.reason() != Reason::damaged) throw;
      move_aside_and_report(error);
      ProfileStore(file_, ProfileStore::Open::create).append(groups);
    }
  } catch (const ProfileError& error) {
    trouble(fmt::format("{}; what this run measured is not kept", error.what()));
  }
}

}  // namespace starpath
