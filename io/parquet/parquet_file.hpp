// A Parquet file, written row by row. Knows nothing of what is stored. Why a writer of our own: docs/results.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/parquet/column_chunk.hpp"
#include "io/parquet/thrift_text.hpp"

namespace starpath::io {

/// Format version 1, data pages of PLAIN values packed with zstd, row groups of kRowsOfGroup rows with the range of
/// each column. Whole under its name after commit(), or not there at all. Memory: one row group, packed, and a page of
/// each column. Source: the specification of Apache Parquet. Throws WriteError. Not thread-safe.
class ParquetFile {
 public:
  static constexpr std::int64_t kRowsOfGroup = 65536;

  ParquetFile(const std::filesystem::path& path, std::vector<ParquetColumn> columns);

  /// Each column gets one value of each row, in any order, then end_row() is called.
  ColumnChunk& column(std::size_t number) { return chunks_[number]; }
  void end_row();
  /// `notes`: names and texts that readers find as the file's metadata.
  void commit(const std::vector<std::pair<std::string, std::string>>& notes);

 private:
  /// What the footer says of a chunk.
  struct Place {
    std::int64_t offset, size, unpacked_size, values, missing;
    std::optional<std::pair<std::string, std::string>> range;
  };
  struct Group {
    std::int64_t rows;
    std::vector<Place> places;
  };
  void write(std::string_view bytes);
  void end_group();
  static void put_place(ThriftText& text, const Place& place, const ParquetColumn& column);
  void put_group(ThriftText& text, const Group& group) const;
  std::string footer(const std::vector<std::pair<std::string, std::string>>& notes) const;

  AtomicFile file_;
  std::vector<ColumnChunk> chunks_;
  std::vector<Group> groups_;
  std::int64_t offset_ = 0, rows_ = 0, rows_of_group_ = 0;
};

}  // namespace starpath::io
