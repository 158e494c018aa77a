// A transaction of study.sqlite, and the checksums of what it changes.
#pragma once
#include <cstdint>
#include <set>

#include "base/sqlite.hpp"

namespace starpath::io {

/// Rolls back unless committed. A function that changes rows names their slide or their part. Only these are read again
/// for their checksums, so a transaction costs what it changes, however large the study is. All others keep the
/// checksums that they were compared with when the study was opened. Not thread-safe.
class StudyTransaction {
 public:
  explicit StudyTransaction(Database& database) : database_(database), transaction_(database) {}

  Database& database() { return database_; }
  void slide_changed(std::int64_t number) { changed_slides_.insert(number); }
  /// `part`: its number in the guard of studies (study_schema.hpp).
  void part_changed(std::int64_t part) { changed_parts_.insert(part); }
  void commit();

 private:
  Database& database_;
  Transaction transaction_;
  std::set<std::int64_t> changed_slides_, changed_parts_;
};

}  // namespace starpath::io
