// Row groups and the footer. Numbers of fields are those of parquet.thrift.
#include "io/parquet/parquet_file.hpp"

#include "io/parquet/thrift_text.hpp"

namespace starpath::io {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr std::int32_t kVersion = 1, kRequired = 0, kOptional = 1, kZstd = 6, kPlain = 0, kRle = 3, kUtf8 = 0;

void put_schema(ThriftText& text, const std::vector<ColumnChunk>& chunks) {
  text.begin_structs(2, chunks.size() + 1);
  text.begin_element();
  text.text(4, "schema");
  text.integer(5, static_cast<std::int32_t>(chunks.size()));
  text.end_struct();
  for (const ColumnChunk& chunk : chunks) {
    const ParquetColumn& column = chunk.column();
    text.begin_element();
    text.integer(1, static_cast<std::int32_t>(column.type));
    text.integer(3, column.may_lack ? kOptional : kRequired);
    text.text(4, column.name);
    if (column.is_text) text.integer(6, kUtf8);
    text.end_struct();
  }
}

/// Values have the order of their type: where this is said, readers use the ranges.
void put_orders(ThriftText& text, std::size_t columns) {
  text.begin_structs(7, columns);
  for (std::size_t i = 0; i < columns; ++i) {
    text.begin_element();
    text.begin_struct(1);
    text.end_struct();
    text.end_struct();
  }
}

}  // namespace

ParquetFile::ParquetFile(const std::filesystem::path& path, std::vector<ParquetColumn> columns) : file_(path) {
  for (ParquetColumn& column : columns) chunks_.emplace_back(std::move(column));
  write(kMagic);
}

void ParquetFile::write(std::string_view bytes) {
  file_.write(bytes);
  offset_ += static_cast<std::int64_t>(bytes.size());
}

void ParquetFile::end_row() {
  ++rows_;
  if (++rows_of_group_ == kRowsOfGroup) end_group();
}

void ParquetFile::end_group() {
  Group group{rows_of_group_, {}};
  for (ColumnChunk& chunk : chunks_) {
    chunk.finish();
    group.places.push_back({offset_, static_cast<std::int64_t>(chunk.bytes().size()), chunk.unpacked_bytes(),
                            chunk.values(), chunk.missing(), chunk.range()});
    write(chunk.bytes());
    chunk.clear();
  }
  groups_.push_back(std::move(group));
  rows_of_group_ = 0;
}

void ParquetFile::put_place(ThriftText& text, const Place& place, const ParquetColumn& column) {
  text.begin_element();
  text.long_integer(2, place.offset);
  text.begin_struct(3);
  text.integer(1, static_cast<std::int32_t>(column.type));
  text.begin_integers(2, 2);
  text.element(kPlain);
  text.element(kRle);
  text.begin_texts(3, 1);
  text.element(column.name);
  text.integer(4, kZstd);
  text.long_integer(5, place.values);
  text.long_integer(6, place.unpacked_size);
  text.long_integer(7, place.size);
  text.long_integer(9, place.offset);
  text.begin_struct(12);
  text.long_integer(3, place.missing);
  if (place.range) {
    text.text(5, place.range->second);
    text.text(6, place.range->first);
  }
  text.end_struct();
  text.end_struct();
  text.end_struct();
}

void ParquetFile::put_group(ThriftText& text, const Group& group) const {
  std::int64_t unpacked_size = 0;
  text.begin_element();
  text.begin_structs(1, chunks_.size());
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    put_place(text, group.places[i], chunks_[i].column());
    unpacked_size += group.places[i].unpacked_size;
  }
  text.long_integer(2, unpacked_size);
  text.long_integer(3, group.rows);
  text.end_struct();
}

std::string ParquetFile::footer(const std::vector<std::pair<std::string, std::string>>& notes) const {
  ThriftText text;
  text.integer(1, kVersion);
  put_schema(text, chunks_);
  text.long_integer(3, rows_);
  text.begin_structs(4, groups_.size());
  for (const Group& group : groups_) put_group(text, group);
  text.begin_structs(5, notes.size());
  for (const auto& [name, value] : notes) {
    text.begin_element();
    text.text(1, name);
    text.text(2, value);
    text.end_struct();
  }
  text.text(6, "starpath");
  put_orders(text, chunks_.size());
  return std::move(text).finished();
}

void ParquetFile::commit(const std::vector<std::pair<std::string, std::string>>& notes) {
  if (rows_of_group_ > 0) end_group();
  const std::string text = footer(notes);
  write(text);
  const auto size = static_cast<std::uint32_t>(text.size());
  write({reinterpret_cast<const char*>(&size), sizeof size});
  write(kMagic);
  file_.commit();
}

}  // namespace starpath::io
