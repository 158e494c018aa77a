// Estimates asked for lately: an application submits many tasks that are alike.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/pure/random.hpp"
#include "estimator/features.hpp"
#include "sched_policies/estimates/task_estimates.hpp"

namespace starpath {

/// Round sizes differ in a few high bits, on which every bit of the hash must depend.
inline std::size_t features_hash(const Features& features, std::size_t seed) {
  std::uint64_t hash = mix64(seed);
  for (std::size_t d = 0; d < features.numeric_count; ++d) {
    hash = mix64(hash ^ std::bit_cast<std::uint64_t>(features.numeric[d]));
  }
  return static_cast<std::size_t>(hash);
}

/// A few results of the estimator; a new one takes the place of another. Not thread-safe.
class SpeedupCache {
 public:
  /// What a result depends on.
  struct Key {
    unsigned codelet = 0;
    std::uint64_t version = 0;  ///< of the samples of the codelet; from 1
    std::array<unsigned, kMaxDeviceClasses> implementations{};
    Features features;

    bool operator==(const Key&) const = default;
  };

  /// nullptr when it is not known.
  const TaskEstimates* find(const Key& key) const {
    const Entry& entry = entries_[place(key)];
    return entry.key == key ? &entry.estimates : nullptr;
  }

  void store(const Key& key, const TaskEstimates& estimates) { entries_[place(key)] = {key, estimates}; }

 private:
  struct Entry {
    Key key;
    TaskEstimates estimates;
  };
  static constexpr std::size_t kEntries = 64;

  static std::size_t place(const Key& key) { return features_hash(key.features, key.codelet) % kEntries; }

  std::array<Entry, kEntries> entries_{};  // version 0: holds nothing
};

/// The same for one thread, which needs no lock for it: codelets are known by name, the version is that of all of
/// them.
class RecentEstimates {
 public:
  struct Entry {
    SpeedupCache::Key key;  // without the codelet's number
    std::string name;
    TaskEstimates estimates;
  };

  /// Where a result is if it is here, and goes if not.
  Entry& entry(const Features& features, std::string_view name) {
    return entries_[features_hash(features,
                                  name.empty() ? 0 : name.size() * 256 + static_cast<unsigned char>(name.back())) %
                    kEntries];
  }

 private:
  static constexpr std::size_t kEntries = 32;
  std::array<Entry, kEntries> entries_{};
};

}  // namespace starpath
