// Checksums in a results file, by which a run that goes on notices what a disk or a transfer changed. SQLite's own
// check finds pages that make no sense, not values that are other ones.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::io {

/// Keeps the table `checksums` (docs/results.md) in step with the others: to be told of every unit after its rows are
/// written, in the same transaction. Not thread-safe. The database must outlive it. Throws as Database.
class Checksums {
 public:
  /// Makes the table if it is missing: files of 0.1.0 have none, and what they hold is not guarded.
  Checksums(Database& database, const ResultTables& tables);
  void unit_written(std::int64_t unit);  // reads its rows
  /// `checksum`: of the unit's rows, table by table in the order of ResultTables (RowChecksum).
  void unit_written(std::int64_t unit, std::uint32_t checksum) { put(unit, checksum); }
  void run_written();      // the table `run`
  void derived_written();  // the derived table, whole
  void derived_gone();     // it is empty, or about to be

 private:
  void put(std::int64_t unit, std::uint32_t checksum);

  std::vector<Statement> rows_;
  Statement run_, put_, remove_;
  std::optional<Statement> derived_;
};

/// Error{mismatch} that names the first unit whose rows are not those that were written, or rows that belong together
/// and are not all there. Returns how many units have a checksum: all or, in files of 0.1.0, none. Reads the whole
/// file. Only reads. check_tables() comes first.
std::int64_t check_contents(const Database& database, const ResultTables& tables);

}  // namespace starpath::io
