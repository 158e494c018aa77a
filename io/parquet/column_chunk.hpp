// The values of one column in one row group: pages of packed values, and what the footer says of them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace starpath::io {

/// The numbers are those of Parquet's physical types.
enum class ParquetType : int { int32 = 1, int64 = 2, float32 = 4, float64 = 5, bytes = 6 };

struct ParquetColumn {
  std::string name;
  ParquetType type;
  bool may_lack = false;  // rows may have no value
  bool is_text = false;   // bytes that are UTF-8
};

class ColumnChunk {
 public:
  explicit ColumnChunk(ParquetColumn column) : column_(std::move(column)) {}
  const ParquetColumn& column() const { return column_; }

  // Appends the value of a row, converted to the column's type.
  void put(std::int64_t value);
  /// NaN in a column that may lack values: none.
  void put(double value);
  void put(std::string_view bytes);

  /// Packs what is left. After this bytes() is the chunk as it lies in the file.
  void finish();
  const std::string& bytes() const { return bytes_; }
  std::int64_t values() const { return values_; }  // with those that are missing
  std::int64_t missing() const { return missing_; }
  std::int64_t unpacked_bytes() const { return unpacked_bytes_; }
  /// Least and largest number in the form of the footer; none where there is no number, or of bytes.
  std::optional<std::pair<std::string, std::string>> range() const;
  /// Ready for the next row group.
  void clear();

 private:
  void append(double number, const void* bytes, std::size_t size);
  template <class Number>
  void append_number(Number value) {
    append(static_cast<double>(value), &value, sizeof value);
  }
  void row_done();
  void pack_page();

  ParquetColumn column_;
  std::string page_;             // values as they are
  std::vector<bool> page_here_;  // of each row of the page: whether it has a value
  std::string bytes_;
  std::int64_t values_ = 0, missing_ = 0, unpacked_bytes_ = 0;
  double least_ = 0, largest_ = 0;  // of the numbers so far, if there are any
};

}  // namespace starpath::io
