// A results file that is open: what the stores of its parts share.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/result_tables.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

/// Not thread-safe. Throws as ResultStore, which opens it.
class OpenResults {
 public:
  /// For reading.
  OpenResults(const std::string& path, const ResultTables& tables);
  /// For writing, by a run of this key.
  OpenResults(const std::string& path, const ResultTables& tables, const RunKey& key);
  ~OpenResults();
  OpenResults(const OpenResults&) = delete;
  OpenResults& operator=(const OpenResults&) = delete;

  Database& database() { return database_; }
  const ResultTables& tables() const { return tables_; }
  const RunInfo& info();
  void keep(const std::string& name, const std::string& text) { kept_.insert_or_assign(name, text); }
  std::optional<std::string> kept(const std::string& name) const;

  /// Calls `change(Checksums&)`, which writes and tells what it has written, in a transaction that also writes what is
  /// kept. Error{internal} when the file was opened for reading.
  template <class Change>
  void transact(const Change& change) {
    check_writes();
    Transaction transaction(database_);
    change(*checksums_);
    put_kept();
    transaction.commit();
    kept_.clear();
  }

 private:
  void set_cache(std::int64_t bytes);
  void check_writes() const;
  void put_kept();

  Database database_;
  const ResultTables& tables_;
  std::optional<RunInfo> info_;
  std::optional<Checksums> checksums_;       // when it writes
  std::map<std::string, std::string> kept_;  // not written yet, by name
};

}  // namespace starpath::io
