// The profile: measured samples of tasks in one SQLite file, which several processes may use at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "estimator/sample_set.hpp"
#include "estimator/store/folder_lock.hpp"
#include "estimator/store/profile_error.hpp"

namespace starpath {

/// What a profile holds of one codelet on one device class.
struct ProfileGroup {
  std::string codelet;
  std::string device_class;                ///< "cpu", "cuda Tesla K20", ...
  std::vector<std::string> numeric_names;  ///< of the numeric features, in their order; may be fewer than there are
  std::vector<std::string> categorical_names;
  std::vector<SampleSet::Entry> samples;
  std::uint64_t offered =
      0;  ///< how many were measured, at least as many as `samples`, which is an even choice of them
};

/// One connection to a profile. Not thread-safe, but any number of processes may read and append at once: each
/// operation is one short transaction, waits for the others, and sees or writes all or nothing.
/// All failures are thrown as ProfileError. Source of what is stored: anthill-2010 section 4.
class ProfileStore {
 public:
  static constexpr std::size_t kCapacity = 1024;  ///< samples kept a codelet and class, as the estimator keeps
  static constexpr int kVersion = 1;              ///< of the file's layout, in its user_version

  struct Settings {
    std::size_t capacity = kCapacity;
    int patience_ms = 10000;   ///< how long another process's transaction is waited for
    bool locks_folder = true;  ///< false if the caller holds the FolderLock already
  };
  enum class Open { existing, create };

  /// Opens a profile, or makes one where there is no file or an empty one. Never changes a file that is no profile.
  ProfileStore(const std::string& path, Open how, Settings settings);
  ProfileStore(const std::string& path, Open how) : ProfileStore(path, how, Settings()) {}

  /// Everything, sorted by codelet and class. Of `codelet` alone when it is not empty.
  std::vector<ProfileGroup> load(const std::string& codelet = "") const;

  /// As `load`, without the samples; `counts[i]` is how many group i has.
  struct Summary {
    ProfileGroup group;
    std::size_t samples = 0;
  };
  std::vector<Summary> list() const;

  /// Adds samples. Where a codelet and class has `capacity` of them already, each new one may take the place of a
  /// random one. Its chance keeps the stored ones an even choice among all that were ever offered (algorithm R). A
  /// group that offers more than it brings weighs its samples accordingly (Chao's method). Samples whose time is not
  /// finite and above 0 are left out. Stored samples of other parameters (same_parameters) make way.
  void append(std::span<const ProfileGroup> groups);

  /// Keeps `keep` samples, chosen at random, of each codelet and class; returns how many went. The file shrinks.
  std::size_t prune(std::size_t keep);

  const std::string& path() const { return path_; }

 private:
  void check_or_make(Open how);
  void make_tables();
  template <class Work>
  auto guarded(Work work) const;

  std::string path_;
  Settings settings_;
  std::optional<FolderLock> lock_;  // longer than the database is open
  mutable Database database_;
};

/// Moves a damaged profile out of the way: to `path` + ".damaged", or ".damaged-2" and so on when that is taken; with
/// its SQLite journal. Returns the new name; empty when there is no damaged profile, as after another process has moved
/// it. Never moves any other file, nor a profile that somebody has open: waits for them. Throws ProfileError: locked
/// when they stay, unusable when the file cannot be renamed.
std::string move_aside(const std::string& path);

}  // namespace starpath
