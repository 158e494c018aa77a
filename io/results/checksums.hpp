// Checksums in a database, by which a reader notices what a disk, a transfer or another program has changed. SQLite's
// own check finds pages that make no sense. It does not find values that were replaced by other valid values.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/guard.hpp"

namespace starpath::io {

/// The number of the row of the table `checksums` that guards the other rows of this table: the sum of their own
/// checksums.
inline constexpr std::int64_t kSeal = -1000;

/// Keeps the table `checksums` (docs/results.md) in step with the other tables. The caller tells it of every unit and
/// part, after the rows are written and in the same transaction. Not thread-safe. The database must outlive it. Throws
/// as Database.
class Checksums {
 public:
  /// Makes the table if it is missing.
  Checksums(Database& database, const Guard& guard);
  void unit_written(std::int64_t unit);  // reads its rows
  /// `checksum`: of the unit's rows, table by table in the order of the guard's queries (RowChecksum).
  void unit_written(std::int64_t unit, std::uint32_t checksum) { put(unit, checksum); }
  void part_written(std::int64_t part);  // reads its tables
  /// `checksum`: of the part's rows, table by table in the order of the guard.
  void part_written(std::int64_t part, std::uint32_t checksum) { put(part, checksum); }
  /// The part has no rows any more, or will have none at the end of the transaction.
  void part_gone(std::int64_t part);
  /// Guards everything as it is now: for a database of an older version.
  void all_written();
  /// Guards the rows of the table `checksums` as they are now: for rows that were copied from another database.
  void seal();

 private:
  void put(std::int64_t number, std::optional<std::uint32_t> checksum);

  Database& database_;
  const Guard& guard_;
  std::vector<Statement> rows_;
  Statement get_, put_, remove_, add_to_seal_;
};

/// Error{mismatch} that names the first unit or part whose rows are not those that were written. `all_guarded`: whether
/// everything must have a checksum. Where it is false, what has none is not checked, and the result says how many units
/// have one; a table with a seal is checked whole in any case. Reads everything. Changes nothing.
std::int64_t check_checksums(const Database& database, const Guard& guard, bool all_guarded);

}  // namespace starpath::io
