// Pages of PLAIN values, packed with zstd.
#include "io/parquet/column_chunk.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>

#include "io/parquet/thrift_text.hpp"

namespace starpath::io {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

constexpr std::size_t kPage = std::size_t{1} << 20;  // bytes of values, at which a page is full
constexpr int kPlain = 0, kRle = 3, kDataPage = 0, kZstdLevel = 1;

void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>((value & 0x7fU) | 0x80U);
  to += static_cast<char>(value);
}

void put_number(std::string& to, std::uint32_t value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Definition levels of width 1: one run when all rows are alike, else bits.
std::string levels_of(const std::vector<bool>& here) {
  std::string levels;
  const auto present = std::ranges::count(here, true);
  if (present == 0 || present == std::ssize(here)) {
    put_varint(levels, here.size() << 1);
    levels += static_cast<char>(present != 0);
  } else {
    const std::size_t groups = (here.size() + 7) / 8;
    put_varint(levels, groups << 1 | 1);
    const std::size_t begin = levels.size();
    levels.resize(begin + groups);
    for (std::size_t i = 0; i < here.size(); ++i)
      if (here[i]) levels[begin + i / 8] = static_cast<char>(levels[begin + i / 8] | 1 << i % 8);
  }
  std::string text;
  put_number(text, static_cast<std::uint32_t>(levels.size()));
  return text + levels;
}

std::string page_header(std::size_t rows, std::size_t size, std::size_t packed_size) {
  ThriftText header;
  header.integer(1, kDataPage);
  header.integer(2, static_cast<std::int32_t>(size));
  header.integer(3, static_cast<std::int32_t>(packed_size));
  header.begin_struct(5);
  header.integer(1, static_cast<std::int32_t>(rows));
  header.integer(2, kPlain);
  header.integer(3, kRle);
  header.integer(4, kRle);
  header.end_struct();
  return std::move(header).finished();
}

std::string packed(const std::string& bytes) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), kZstdLevel);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // nothing else can go wrong with room enough
  result.resize(size);
  return result;
}

template <class Number>
std::string bytes_of(double number) {
  const auto value = static_cast<Number>(number);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string bytes_of(ParquetType type, double number) {
  switch (type) {
    case ParquetType::int32:
      return bytes_of<std::int32_t>(number);
    case ParquetType::int64:
      return bytes_of<std::int64_t>(number);
    case ParquetType::float32:
      return bytes_of<float>(number);
    default:
      return bytes_of<double>(number);
  }
}

}  // namespace

void ColumnChunk::append(double number, const void* bytes, std::size_t size) {
  const bool first = values_ == missing_;
  least_ = first ? number : std::min(least_, number);
  largest_ = first ? number : std::max(largest_, number);
  page_.append(static_cast<const char*>(bytes), size);
  page_here_.push_back(true);
  row_done();
}

void ColumnChunk::put(std::int64_t value) {
  column_.type == ParquetType::int32 ? append_number(static_cast<std::int32_t>(value)) : append_number(value);
}

void ColumnChunk::put(double value) {
  if (column_.may_lack && std::isnan(value)) {
    ++missing_;
    page_here_.push_back(false);
    return row_done();
  }
  column_.type == ParquetType::float32 ? append_number(static_cast<float>(value)) : append_number(value);
}

void ColumnChunk::put(std::string_view bytes) {
  put_number(page_, static_cast<std::uint32_t>(bytes.size()));
  page_ += bytes;
  page_here_.push_back(true);
  row_done();
}

void ColumnChunk::row_done() {
  ++values_;
  if (page_.size() >= kPage) pack_page();
}

void ColumnChunk::pack_page() {
  const std::string levels = column_.may_lack ? levels_of(page_here_) : "";
  page_.insert(0, levels);
  const std::string content = packed(page_), header = page_header(page_here_.size(), page_.size(), content.size());
  bytes_ += header;
  bytes_ += content;
  unpacked_bytes_ += static_cast<std::int64_t>(header.size() + page_.size());
  page_.clear();
  page_here_.clear();
}

void ColumnChunk::finish() {
  if (!page_here_.empty()) pack_page();
}

std::optional<std::pair<std::string, std::string>> ColumnChunk::range() const {
  if (column_.type == ParquetType::bytes || values_ == missing_ || std::isnan(least_) || std::isnan(largest_))
    return std::nullopt;
  // Parquet wants the least zero to be -0 and the largest +0.
  const double least = least_ == 0 ? -0.0 : least_, largest = largest_ == 0 ? 0.0 : largest_;
  return std::pair{bytes_of(column_.type, least), bytes_of(column_.type, largest)};
}

void ColumnChunk::clear() {
  bytes_.clear();
  values_ = missing_ = unpacked_bytes_ = 0;
}

}  // namespace starpath::io
