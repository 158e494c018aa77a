// A database with another value somewhere: the input says where and which.
#pragma once
#include <fmt/format.h>
#include <fuzzer/FuzzedDataProvider.h>

#include <limits>
#include <span>
#include <string>

#include "base/sqlite.hpp"

namespace starpath::fuzz {

/// A column of a table, and a column of its key, by which its rows are counted.
struct Column {
  const char *table, *name, *key;
};

/// A value as SQL writes it.
inline std::string value_from(FuzzedDataProvider& input) {
  constexpr std::int64_t edges[] = {0,
                                    1,
                                    -1,
                                    63,
                                    64,
                                    127,
                                    2147483647,
                                    2147483648,
                                    -2147483648,
                                    4294967296,
                                    std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::min()};
  switch (input.ConsumeIntegralInRange(0, 6)) {
    case 0:
      return fmt::format("{}", input.PickValueInArray(edges));
    case 1:
      return fmt::format("{}", input.ConsumeIntegral<std::int16_t>());
    case 2:
      return input.PickValueInArray({"9e999", "-9e999", "NULL", "0.5", "1e300", "'text'", "'done'", "'failed'", "x''"});
    case 3: {
      std::string hex;
      for (const std::uint8_t byte : input.ConsumeBytes<std::uint8_t>(64)) hex += fmt::format("{:02x}", byte);
      return "x'" + hex + "'";
    }
    case 4: {
      std::string text;
      for (const char c : input.ConsumeRandomLengthString(40)) text += c == '\'' || c == '\0' ? 'q' : c;
      return "'" + text + "'";
    }
    case 5:  // one coordinate of a contour
      return fmt::format("CAST(substr(contour, 1, {0}) || x'{1:08x}' || substr(contour, {0} + 5) AS BLOB)",
                         4 * input.ConsumeIntegralInRange(0, 12), input.ConsumeIntegral<std::uint32_t>());
    default:
      return "zeroblob(4000)";
  }
}

/// Sets one column of one row. What SQLite itself refuses changes nothing.
inline void change_one(Database& database, std::span<const Column> columns, FuzzedDataProvider& input) {
  const Column& column = columns[input.ConsumeIntegralInRange<std::size_t>(0, columns.size() - 1)];
  const std::string sql = fmt::format(
      "UPDATE {0} SET \"{1}\" = {2} WHERE \"{3}\" = (SELECT \"{3}\" FROM {0} ORDER BY 1 LIMIT 1 OFFSET {4})",
      column.table, column.name, value_from(input), column.key, input.ConsumeIntegralInRange(0, 12));
  try {
    database.execute(sql);
  } catch (const DatabaseError&) {
  }
}

/// Changes as many values of the file as the input says.
inline void change_values(const std::string& file, std::span<const Column> columns, const std::uint8_t* data,
                          std::size_t size) {
  FuzzedDataProvider input(data, size);
  Database database(file, Database::Open::existing);
  database.execute("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON");
  while (input.remaining_bytes() > 0) change_one(database, columns, input);
}

}  // namespace starpath::fuzz
