// A results file with one row a unit: a field of NBIA, a tile of a declared pipeline.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::io {

/// Open for writing by one run, and locked. Not thread-safe. Errors as ResultStore.
class UnitFile {
 public:
  /// `insert` puts a unit's row into the table of units: a value a column, the unit's number first.
  static void create(const std::string& path, const RunKey& key, const RunInfo& info, const ResultTables& tables,
                     const std::string& sql_of_tables);
  UnitFile(const std::string& path, const RunKey& key, const ResultTables& tables, const char* insert);
  ~UnitFile();
  UnitFile(const UnitFile&) = delete;
  UnitFile& operator=(const UnitFile&) = delete;

  const Database& database() const { return database_; }

  /// One transaction. Replaces an earlier row of the unit.
  template <class... Values>
  void commit(std::int64_t unit, const Values&... values) {
    Transaction transaction(database_);
    put_->run(unit, values...);
    checksums_->unit_written(unit);
    transaction.commit();
  }

 private:
  Database database_;
  std::optional<Statement> put_;
  std::optional<Checksums> checksums_;
};

}  // namespace starpath::io
