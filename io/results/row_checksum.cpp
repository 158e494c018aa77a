// CRC-32 by libdeflate, which is faster; zlib joins two of them.
#include "io/results/row_checksum.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <bit>
#include <cmath>

namespace starpath::io {

std::int64_t RowChecksum::add(Statement& rows) {
  const int columns = rows.columns();
  std::int64_t count = 0;
  for (; rows.step(); ++count)
    for (int column = 0; column < columns; ++column) add_column(rows, column);
  return count;
}

void RowChecksum::add_column(const Statement& row, int column) {
  const auto [type, number] = row.typed_real(column);  // most are
  switch (type) {
    case ColumnType::real:
      return add(number);
    case ColumnType::integer:
      return add(row.integer(column));
    case ColumnType::null:
      return add_number(static_cast<std::uint64_t>(type));
    default: {
      const std::span<const std::byte> bytes = row.bytes(column);
      return add_sized(type, bytes.data(), bytes.size());
    }
  }
}

void RowChecksum::add(std::int64_t value) { add_typed(ColumnType::integer, static_cast<std::uint64_t>(value)); }

void RowChecksum::add(double value) {
  if (std::isnan(value)) return add_number(static_cast<std::uint64_t>(ColumnType::null));
  add_typed(ColumnType::real, std::bit_cast<std::uint64_t>(value + 0.0));  // of a sum of zeros, -0 is never the result
}

void RowChecksum::add(std::string_view text) { add_sized(ColumnType::text, text.data(), text.size()); }

void RowChecksum::add(std::span<const std::byte> bytes) { add_sized(ColumnType::bytes, bytes.data(), bytes.size()); }

void RowChecksum::append(RowChecksum later) {
  sum_block();
  later.sum_block();
  crc_ = static_cast<std::uint32_t>(crc32_combine(crc_, later.crc_, later.length_));
  length_ += later.length_;
}

std::uint32_t RowChecksum::value() {
  sum_block();
  return crc_;
}

void RowChecksum::add_sized(ColumnType type, const void* data, std::size_t size) {
  add_typed(type, size);
  sum_block();
  if (size > 0) sum(data, size);  // libdeflate begins anew when there is no data
}

void RowChecksum::sum_block() {
  if (used_ > 0) sum(block_.data(), used_);
  used_ = 0;
}

void RowChecksum::sum(const void* data, std::size_t size) {
  crc_ = libdeflate_crc32(crc_, data, size);
  length_ += static_cast<std::int64_t>(size);
}

}  // namespace starpath::io
