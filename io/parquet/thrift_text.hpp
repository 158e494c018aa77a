// Structures in the compact protocol of Apache Thrift, in which Parquet keeps all but its values.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace starpath::io {

/// Bytes of one structure, field by field in ascending order of their numbers. Source: "Thrift compact protocol
/// encoding", Apache Thrift. A structure in a field or list begins with begin_struct() or an element and is ended by
/// end_struct().
class ThriftText {
 public:
  ThriftText() : last_field_{0} {}

  void integer(int field, std::int32_t value) { number(field, kInt32, value); }
  void long_integer(int field, std::int64_t value) { number(field, kInt64, value); }
  void text(int field, std::string_view value) {
    head(field, kBinary);
    element(value);
  }
  void begin_struct(int field) {
    head(field, kStruct);
    last_field_.push_back(0);
  }
  void end_struct() {
    bytes_ += '\0';
    last_field_.pop_back();
  }
  void begin_structs(int field, std::size_t count) { list(field, count, kStruct); }
  void begin_integers(int field, std::size_t count) { list(field, count, kInt32); }
  void begin_texts(int field, std::size_t count) { list(field, count, kBinary); }

  // Of a list:
  void element(std::int32_t value) { put_varint(zigzag(value)); }
  void element(std::string_view value) {
    put_varint(value.size());
    bytes_ += value;
  }
  void begin_element() { last_field_.push_back(0); }

  /// Ends the structure.
  std::string finished() && {
    end_struct();
    return std::move(bytes_);
  }

 private:
  static constexpr int kInt32 = 5, kInt64 = 6, kBinary = 8, kList = 9, kStruct = 12;

  static std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  }
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7fU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }
  /// Fields of Parquet lie less than 16 apart: the short form is enough.
  void head(int field, int type) {
    bytes_ += static_cast<char>(((field - last_field_.back()) << 4) | type);
    last_field_.back() = field;
  }
  void number(int field, int type, std::int64_t value) {
    head(field, type);
    put_varint(zigzag(value));
  }
  void list(int field, std::size_t count, int type) {
    head(field, kList);
    if (count < 15) {
      bytes_ += static_cast<char>((count << 4) | static_cast<unsigned>(type));
    } else {
      bytes_ += static_cast<char>(0xf0U | static_cast<unsigned>(type));
      put_varint(count);
    }
  }

  std::string bytes_;
  std::vector<int> last_field_;  // of each structure that is open
};

}  // namespace starpath::io
