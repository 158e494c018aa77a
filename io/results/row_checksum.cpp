// CRC-32 a row at once, by libdeflate, which is faster; zlib joins two of them.
#include "io/results/row_checksum.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <bit>
#include <cmath>

namespace starpath::io {

void RowChecksum::add(Statement& rows) {
  while (rows.step()) {
    for (int column = 0; column < rows.columns(); ++column) add_column(rows, column);
    end_row();
  }
}

void RowChecksum::add_column(const Statement& row, int column) {
  switch (const ColumnType type = row.type(column)) {
    case ColumnType::integer:
      return add(row.integer(column));
    case ColumnType::real:
      return add(row.real(column));
    case ColumnType::null:
      return add_number(static_cast<std::uint64_t>(type));
    default: {
      const std::span<const std::byte> bytes = row.bytes(column);
      return add_sized(type, bytes.data(), bytes.size());
    }
  }
}

void RowChecksum::add(std::int64_t value) {
  add_number(static_cast<std::uint64_t>(ColumnType::integer));
  add_number(static_cast<std::uint64_t>(value));
}

void RowChecksum::add(double value) {
  if (std::isnan(value)) return add_number(static_cast<std::uint64_t>(ColumnType::null));
  add_number(static_cast<std::uint64_t>(ColumnType::real));
  add_number(std::bit_cast<std::uint64_t>(value + 0.0));  // of a sum of zeros, -0 is never the result
}

void RowChecksum::add(std::string_view text) { add_sized(ColumnType::text, text.data(), text.size()); }

void RowChecksum::add(std::span<const std::byte> bytes) { add_sized(ColumnType::bytes, bytes.data(), bytes.size()); }

void RowChecksum::end_row() {
  // Numbers are many and short: they are summed together.
  if (!row_.empty()) crc_ = libdeflate_crc32(crc_, row_.data(), row_.size());
  length_ += static_cast<std::int64_t>(row_.size());
  row_.clear();
}

void RowChecksum::append(const RowChecksum& later) {
  crc_ = static_cast<std::uint32_t>(crc32_combine(crc_, later.crc_, later.length_));
  length_ += later.length_;
}

void RowChecksum::add_number(std::uint64_t number) {
  unsigned char bytes[8];
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(number >> (8 * i));
  row_.insert(row_.end(), bytes, bytes + sizeof bytes);
}

void RowChecksum::add_sized(ColumnType type, const void* data, std::size_t size) {
  add_number(static_cast<std::uint64_t>(type));
  add_number(size);
  const auto* first = static_cast<const unsigned char*>(data);
  row_.insert(row_.end(), first, first + size);
}

}  // namespace starpath::io
