// Types and ranges of stored values.
#include "io/results/stored_row.hpp"

#include <fmt/format.h>

#include <limits>

namespace starpath::io {

Error damaged_results(const Database& database, const std::string& what) {
  return {ErrorKind::mismatch, fmt::format("{}: is damaged ({}); move it away and run again", database.path(), what)};
}

void StoredRow::fail(const std::string& what) const {
  throw damaged_results(database_, fmt::format("table {}: {}", table_, what));
}

void StoredRow::fail(int column, const std::string& expected) const {
  fail(fmt::format("value {} of a row is '{}', not {}", column + 1, row_.text(column).substr(0, 40), expected));
}

std::int64_t StoredRow::integer(int column, std::int64_t least, std::int64_t most) const {
  const auto [type, value] = row_.typed_integer(column);
  if (type != ColumnType::integer || value < least || value > most)
    fail(column, fmt::format("an integer from {} to {}", least, most));
  return value;
}

double StoredRow::real_or_nan(int column) const {
  const auto [type, value] = row_.typed_real(column);
  if (type == ColumnType::null) return std::numeric_limits<double>::quiet_NaN();
  if (type != ColumnType::real) fail(column, "a number");
  return value;
}

double StoredRow::real(int column, double least, double most) const {
  const auto [type, value] = row_.typed_real(column);
  if (type != ColumnType::real || !(value >= least && value <= most))
    fail(column, fmt::format("a number from {:g} to {:g}", least, most));
  return value;
}

std::string StoredRow::text(int column) const {
  if (row_.type(column) != ColumnType::text) fail(column, "a text");
  return row_.text(column);
}

std::span<const std::byte> StoredRow::bytes(int column) const {
  if (row_.type(column) != ColumnType::bytes) fail(column, "bytes");
  return row_.bytes(column);
}

}  // namespace starpath::io
