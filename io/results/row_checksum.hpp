// The checksum of rows by their values: the values that are written, or those that SQLite gives back.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/sqlite.hpp"

namespace starpath::io {

/// CRC-32 of the type and the value of each column, row by row. Not thread-safe.
class RowChecksum {
 public:
  /// Adds all rows that the statement gives, and returns how many. The statement is ready to be used again afterwards.
  std::int64_t add(Statement& rows);

  /// A column's value as it is bound, before SQLite has it; the columns of a row in the order of the table. A REAL
  /// column takes doubles only.
  void add(std::int64_t value);
  void add(int value) { add(std::int64_t{value}); }
  void add(double value);  // NaN is stored as NULL, and -0 as 0
  void add(std::string_view text);
  void add(std::span<const std::byte> bytes);

  /// Afterwards this is the checksum of its own rows and then those of `later`.
  void append(RowChecksum later);
  /// Of what was added.
  std::uint32_t value();

 private:
  void add_column(const Statement& row, int column);
  void add_number(std::uint64_t number) {
    if (used_ == block_.size()) sum_block();
    put(number);
  }
  void add_typed(ColumnType type, std::uint64_t number) {
    if (used_ + 16 > block_.size()) sum_block();
    put(static_cast<std::uint64_t>(type));
    put(number);
  }
  void put(std::uint64_t number) {
    for (unsigned i = 0; i < 8; ++i) block_[used_ + i] = static_cast<unsigned char>(number >> (8 * i));
    used_ += 8;
  }
  void add_sized(ColumnType type, const void* data, std::size_t size);
  void sum_block();
  void sum(const void* data, std::size_t size);

  std::uint32_t crc_ = 0;
  std::int64_t length_ = 0;                // bytes that crc_ is of
  std::array<unsigned char, 2048> block_;  // numbers are many and short, so many are summed at once
  std::size_t used_ = 0;                   // bytes of it, a multiple of 8
};

}  // namespace starpath::io
