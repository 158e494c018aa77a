// The profile in SQLite.
#include "estimator/store/profile_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include "estimator/store/number_lists.hpp"
#include "estimator/store/parameter_names.hpp"

namespace starpath {
namespace {

using Reason = ProfileError::Reason;

ProfileError damaged_row(const std::string& path) {
  return {Reason::damaged, fmt::format("profile {}: is damaged (a sample makes no sense)", path)};
}

/// Decides which samples of one codelet and class stay: algorithm R, with weights.
class Reservoir {
 public:
  Reservoir(Database& database, std::int64_t group, std::uint64_t offered, std::size_t capacity)
      : capacity_(capacity),
        held_(static_cast<std::size_t>(
            database.integer("SELECT count(*) FROM samples WHERE group_id = " + std::to_string(group)))),
        offered_(static_cast<double>(offered)),
        random_(offered ^ static_cast<std::uint64_t>(group) << 40) {}

  /// The slot for the next sample, which stands for `weight` that were measured; capacity() for none.
  std::size_t place(double weight) {
    offered_ += weight;
    if (held_ < capacity_) return held_++;
    if (uniform_(random_) * offered_ >= weight * static_cast<double>(capacity_)) return capacity_;
    return random_() % capacity_;
  }

  std::size_t capacity() const { return capacity_; }

 private:
  std::size_t capacity_;
  std::size_t held_;
  double offered_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

ProfileGroup read_group(const Statement& row) {
  return {.codelet = row.text(1),
          .device_class = row.text(2),
          .numeric_names = split_names(row.text(3)),
          .categorical_names = split_names(row.text(4)),
          .samples = {},
          .offered = static_cast<std::uint64_t>(row.integer(5))};
}

constexpr const char* kGroupColumns = "id, codelet, device_class, numeric_names, categorical_names, offered";

/// The longer list where one continues the other; a codelet whose tasks differ in length shows its names bit by bit.
const std::vector<std::string>& longer(const std::vector<std::string>& stored, const std::vector<std::string>& fresh) {
  const bool continues = fresh.size() > stored.size() && std::equal(stored.begin(), stored.end(), fresh.begin());
  return continues ? fresh : stored;
}

/// The number and the count of offers of a group, which is made if it is not there. A group of other parameters is
/// emptied: its samples would be compared with tasks of a codelet that has changed.
std::pair<std::int64_t, std::uint64_t> find_or_make(Database& database, const ProfileGroup& group) {
  Statement find =
      database.prepare(std::string("SELECT ") + kGroupColumns + " FROM groups WHERE codelet = ? AND device_class = ?");
  find.bind(1, std::string_view(group.codelet));
  find.bind(2, std::string_view(group.device_class));
  if (!find.step()) {
    database
        .prepare(
            "INSERT INTO groups (codelet, device_class, numeric_names, categorical_names, offered) "
            "VALUES (?, ?, ?, ?, 0)")
        .run(std::string_view(group.codelet), std::string_view(group.device_class),
             std::string_view(join_names(group.numeric_names)), std::string_view(join_names(group.categorical_names)));
    return {database.integer("SELECT last_insert_rowid()"), 0};
  }
  const std::int64_t id = find.integer(0);
  ProfileGroup stored = read_group(find);
  if (!same_parameters(stored.numeric_names, group.numeric_names)) {
    database.execute("DELETE FROM samples WHERE group_id = " + std::to_string(id));
    stored.numeric_names = group.numeric_names;
    stored.categorical_names = group.categorical_names;
    stored.offered = 0;
  }
  const std::string numeric = join_names(longer(stored.numeric_names, group.numeric_names));
  const std::string categorical = join_names(longer(stored.categorical_names, group.categorical_names));
  database.prepare("UPDATE groups SET numeric_names = ?, categorical_names = ? WHERE id = ?")
      .run(std::string_view(numeric), std::string_view(categorical), id);
  return {id, stored.offered};
}

void add_samples(Database& database, const ProfileGroup& group, std::size_t capacity) {
  std::vector<const SampleSet::Entry*> sound;
  for (const SampleSet::Entry& sample : group.samples) {
    if (std::isfinite(sample.seconds) && sample.seconds > 0) sound.push_back(&sample);
  }
  if (sound.empty()) return;
  const std::uint64_t fresh = std::max<std::uint64_t>(group.offered, sound.size());
  const double weight = static_cast<double>(fresh) / static_cast<double>(sound.size());
  const auto [id, offered] = find_or_make(database, group);
  Reservoir reservoir(database, id, offered, capacity);
  Statement put = database.prepare("INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?)");
  for (const SampleSet::Entry* sample : sound) {
    const std::size_t slot = reservoir.place(weight);
    if (slot == reservoir.capacity()) continue;
    const Features& features = sample->features;
    const std::string numeric = join_numbers(std::span(features.numeric).first(features.numeric_count));
    const std::string categorical = join_numbers(std::span(features.categorical).first(features.categorical_count));
    put.run(id, static_cast<std::int64_t>(slot), sample->seconds, std::string_view(numeric),
            std::string_view(categorical));
  }
  database.prepare("UPDATE groups SET offered = ? WHERE id = ?").run(static_cast<std::int64_t>(offered + fresh), id);
}

}  // namespace

template <class Work>
auto ProfileStore::guarded(Work work) const {
  try {
    return work();
  } catch (const DatabaseError& error) {
    throw explain(path_, error);
  }
}

namespace {

std::optional<FolderLock> lock_folder(const std::string& path, const ProfileStore::Settings& settings) {
  if (!settings.locks_folder) return std::nullopt;
  return std::optional<FolderLock>(std::in_place, path, FolderLock::Kind::shared, settings.patience_ms);
}

Database open_database(const std::string& path, ProfileStore::Open how) {
  std::error_code ignored;
  if (how == ProfileStore::Open::existing && !std::filesystem::exists(path, ignored))
    throw ProfileError(Reason::missing, fmt::format("profile {}: no such file", path));
  const auto type = std::filesystem::status(path, ignored).type();
  using enum std::filesystem::file_type;
  if (type == directory) throw ProfileError(Reason::foreign, fmt::format("profile {}: is a folder", path));
  if (type != regular && type != not_found && type != none)
    throw ProfileError(Reason::foreign, fmt::format("profile {}: is no regular file", path));
  try {
    return {path, how == ProfileStore::Open::create ? Database::Open::create : Database::Open::existing};
  } catch (const DatabaseError& error) {
    throw explain(path, error);
  }
}

}  // namespace

ProfileStore::ProfileStore(const std::string& path, Open how, Settings settings)
    : path_(path), settings_(settings), lock_(lock_folder(path, settings)), database_(open_database(path, how)) {
  database_.set_patience(settings.patience_ms);
  guarded([&] { check_or_make(how); });
}

void ProfileStore::check_or_make(Open how) {
  const auto empty = [&] { return database_.integer("SELECT count(*) FROM sqlite_master") == 0; };
  if (database_.integer("PRAGMA application_id") != kProfileApplication) {
    // Two processes may find the file empty at once: the second one looks again under the lock.
    if (!empty()) {
      if (database_.integer("PRAGMA application_id") == kProfileApplication) return check_or_make(how);
      if (has_marks_of_profile(path_))
        throw ProfileError(Reason::damaged, fmt::format("profile {}: is damaged", path_));
      throw ProfileError(Reason::foreign, fmt::format("profile {}: is a database of something else", path_));
    }
    if (how == Open::existing) throw ProfileError(Reason::missing, fmt::format("profile {}: is empty", path_));
    Transaction transaction(database_);
    if (empty()) make_tables();
    transaction.commit();
    return check_or_make(Open::existing);
  }
  if (const auto version = database_.integer("PRAGMA user_version"); version > kVersion) {
    throw ProfileError(Reason::newer,
                       fmt::format("profile {}: was made by a newer version (layout {}, this one knows {})", path_,
                                   version, kVersion));
  }
}

void ProfileStore::make_tables() {
  database_.execute(fmt::format(R"(
    CREATE TABLE groups (
      id INTEGER PRIMARY KEY, codelet TEXT NOT NULL, device_class TEXT NOT NULL, numeric_names TEXT NOT NULL,
      categorical_names TEXT NOT NULL, offered INTEGER NOT NULL, UNIQUE (codelet, device_class));
    CREATE TABLE samples (
      group_id INTEGER NOT NULL REFERENCES groups (id), slot INTEGER NOT NULL, seconds REAL NOT NULL,
      numeric TEXT NOT NULL, categorical TEXT NOT NULL, PRIMARY KEY (group_id, slot)) WITHOUT ROWID;
    PRAGMA application_id = {}; PRAGMA user_version = {};)",
                                kProfileApplication, kVersion));
}

std::vector<ProfileGroup> ProfileStore::load(const std::string& codelet) const {
  return guarded([&] {
    std::vector<ProfileGroup> groups;
    std::map<std::int64_t, std::size_t> places;
    const Transaction snapshot(database_, "BEGIN");
    Statement group = database_.prepare(std::string("SELECT ") + kGroupColumns +
                                        " FROM groups WHERE ?1 = '' OR codelet = ?1 ORDER BY codelet, device_class");
    group.bind(1, std::string_view(codelet));
    while (group.step()) {
      places[group.integer(0)] = groups.size();
      groups.push_back(read_group(group));
    }
    Statement sample =
        database_.prepare("SELECT seconds, numeric, categorical FROM samples WHERE group_id = ? ORDER BY slot");
    for (const auto& [id, place] : places) {
      sample.bind(1, id);
      while (sample.step()) {
        SampleSet::Entry entry{.features = {}, .seconds = sample.real(0)};
        if (!(entry.seconds > 0) || !std::isfinite(entry.seconds) ||
            !read_numbers(sample.text(1), sample.text(2), entry.features)) {
          throw damaged_row(path_);
        }
        groups[place].samples.push_back(entry);
      }
    }
    return groups;
  });
}

std::vector<ProfileStore::Summary> ProfileStore::list() const {
  return guarded([&] {
    std::vector<Summary> all;
    Statement row = database_.prepare(
        std::string("SELECT ") + kGroupColumns +
        ", (SELECT count(*) FROM samples WHERE group_id = id) FROM groups ORDER BY codelet, device_class");
    while (row.step()) all.push_back({read_group(row), static_cast<std::size_t>(row.integer(6))});
    return all;
  });
}

void ProfileStore::append(std::span<const ProfileGroup> groups) {
  guarded([&] {
    Transaction transaction(database_);
    for (const ProfileGroup& group : groups) add_samples(database_, group, settings_.capacity);
    transaction.commit();
  });
}

std::size_t ProfileStore::prune(std::size_t keep) {
  return guarded([&] {
    Transaction transaction(database_);
    database_.execute(
        "CREATE TEMP TABLE kept AS SELECT *, row_number() OVER (PARTITION BY group_id ORDER BY random()) - 1 AS place "
        "FROM samples");
    const std::int64_t before = database_.integer("SELECT count(*) FROM samples");
    database_.execute("DELETE FROM samples");
    database_
        .prepare(
            "INSERT INTO samples SELECT group_id, place, seconds, numeric, categorical FROM kept "
            "WHERE place < ?")
        .run(static_cast<std::int64_t>(keep));
    const std::int64_t after = database_.integer("SELECT count(*) FROM samples");
    database_.execute("DROP TABLE kept");
    database_.execute("DELETE FROM groups WHERE NOT EXISTS (SELECT 1 FROM samples WHERE group_id = id)");
    // What is left counts for itself alone, so that the next samples get a place.
    database_.execute("UPDATE groups SET offered = (SELECT count(*) FROM samples WHERE group_id = id)");
    transaction.commit();
    database_.execute("VACUUM");
    return static_cast<std::size_t>(before - after);
  });
}

}  // namespace starpath
