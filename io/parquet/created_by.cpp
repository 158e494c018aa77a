// The footer's fields, passed over one by one. Source: "Thrift compact protocol encoding", Apache Thrift.
#include "io/parquet/created_by.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace starpath::io {
namespace {

constexpr int kBinary = 8;

/// Reads what ThriftText writes. Behind the end of the text there are zeros.
class ThriftReader {
 public:
  explicit ThriftReader(std::string_view text) : text_(text) {}

  /// The text in a field of the outermost structure.
  std::string text_of(int wanted) {
    int field = 0;
    for (int type = next_field(field); type != 0; type = next_field(field)) {
      if (field == wanted && type == kBinary) return std::string(take(varint()));
      skip(type, 0);
    }
    return {};
  }

 private:
  std::uint8_t byte() {
    const std::string_view one = take(1);
    return one.empty() ? 0 : static_cast<std::uint8_t>(one[0]);
  }
  std::string_view take(std::uint64_t size) {
    const std::string_view taken = text_.substr(0, size);
    text_.remove_prefix(taken.size());
    return taken;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7fU} << shift;
      if ((part & 0x80U) == 0) break;
    }
    return value;
  }
  /// The type of the next field, 0 at the end of the structure.
  int next_field(int& field) {
    const std::uint8_t head = byte();
    if (head == 0) return 0;
    field = (head >> 4) != 0 ? field + (head >> 4) : static_cast<int>(varint() >> 1);
    return head & 0x0f;
  }
  void skip_list(int depth) {
    const std::uint8_t head = byte();
    const std::uint64_t count = (head >> 4) == 15 ? varint() : static_cast<std::uint64_t>(head >> 4);
    for (std::uint64_t i = 0; i < count && !text_.empty(); ++i) skip_element(head & 0x0f, depth);
  }
  void skip_element(int type, int depth) {
    if (type == 1 || type == 2)
      byte();  // in a list, a boolean has a byte of its own
    else
      skip(type, depth);
  }
  void skip(int type, int depth) {
    constexpr int deepest = 16;
    if (depth > deepest) return text_.remove_prefix(text_.size());
    switch (type) {
      case 1:  // the head of a field holds the value of a boolean
      case 2:
        return;
      case 3:
        byte();
        return;
      case 4:
      case 5:
      case 6:
        varint();
        return;
      case 7:
        take(8);
        return;
      case kBinary:
        take(varint());
        return;
      case 9:
      case 10:
        return skip_list(depth + 1);
      case 12:
        for (int field = 0, inner = next_field(field); inner != 0; inner = next_field(field)) skip(inner, depth + 1);
        return;
      default:  // Parquet's footer has no map
        return text_.remove_prefix(text_.size());
    }
  }

  std::string_view text_;
};

/// The footer lies in front of its length and "PAR1". Those of slides have some kilobytes.
std::string footer_of(const std::filesystem::path& file) {
  constexpr std::uint32_t most = 1U << 26;
  std::ifstream in(file, std::ios::binary);
  char end[8] = {};
  if (!in.seekg(-8, std::ios::end) || !in.read(end, sizeof end) || std::memcmp(end + 4, "PAR1", 4) != 0) return {};
  std::uint32_t size = 0;
  std::memcpy(&size, end, sizeof size);
  if (size > most || !in.seekg(-8 - static_cast<std::streamoff>(size), std::ios::end)) return {};
  std::string footer(size, '\0');
  return in.read(footer.data(), size) ? footer : std::string();
}

}  // namespace

std::string parquet_created_by(const std::filesystem::path& file) {
  constexpr int created_by = 6;
  const std::string footer = footer_of(file);
  return ThriftReader(footer).text_of(created_by);
}

}  // namespace starpath::io
