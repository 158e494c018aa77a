// Rows of a results file as what they should be: a file may be damaged in ways that no checksum of it tells, or made
// up.
#pragma once
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "base/sqlite.hpp"

namespace starpath::io {

/// "<file>: is damaged (<what>); move it away and run again".
Error damaged_results(const Database& database, const std::string& what);

/// A view of the row that a statement is at. Every member throws Error{mismatch} that names the table when a value is
/// not of its type or out of range. The statement, the database and `table` must outlive it.
class StoredRow {
 public:
  StoredRow(const Database& database, const Statement& row, const char* table)
      : database_(database), row_(row), table_(table) {}

  std::int64_t integer(int column, std::int64_t least, std::int64_t most) const;
  /// A number, infinity too, or NaN where there is none.
  double real_or_nan(int column) const;
  double real(int column, double least, double most) const;
  std::string text(int column) const;
  std::span<const std::byte> bytes(int column) const;
  [[noreturn]] void fail(const std::string& what) const;
  /// The value of the column is not `expected`.
  [[noreturn]] void fail(int column, const std::string& expected) const;

 private:
  const Database& database_;
  const Statement& row_;
  const char* table_;
};

}  // namespace starpath::io
