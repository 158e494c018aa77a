// Reads the literal of a Python dictionary with three known keys.
#include "io/maps/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/pure/parse_number.hpp"

namespace starpath::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostSides = 8;
static_assert(std::endian::native == std::endian::little, "numbers are taken as they lie in the file");

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  [[noreturn]] void damaged(const std::string& what) const {
    throw Error(ErrorKind::input, fmt::format("{}: is damaged: its .npy header {}", name_, what));
  }

  /// Passes blanks and then `text`; false when something else stands there.
  bool pass(std::string_view text) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t"), rest_.size()));
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!pass(text)) damaged(fmt::format("has no '{}' where one is needed", text));
  }
  std::string_view quoted() {
    const bool is_double = pass("\"");
    if (!is_double) expect("'");
    const std::size_t end = rest_.find(is_double ? '"' : '\'');
    if (end == std::string_view::npos) damaged("has a text without an end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool truth() {
    if (pass("True")) return true;
    if (!pass("False")) damaged("does not say whether fortran_order is True or False");
    return false;
  }
  std::vector<std::int64_t> sides() {
    std::vector<std::int64_t> found;
    expect("(");
    while (!pass(")")) {
      pass("");  // blanks
      const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
      const auto side = digits <= 18 ? parse_number<std::int64_t>(rest_.substr(0, digits)) : std::nullopt;
      if (!side) damaged("has a shape that is no list of whole numbers");
      rest_.remove_prefix(digits);
      pass("L");  // of Python 2
      found.push_back(*side);
      if (found.size() > kMostSides) damaged(fmt::format("has a shape of more than {} sides", kMostSides));
      if (!pass(",") && !rest_.starts_with(')')) pass(" ");
    }
    return found;
  }

 private:
  std::string_view rest_;
  const std::string& name_;
};

std::optional<NumberType> type_of(std::string_view descr) {
  struct Row {
    std::string_view text;
    NumberType type;
  };
  using enum NumberType;
  constexpr std::array rows = std::to_array<Row>({{"|b1", boolean},
                                                  {"|u1", u8},
                                                  {"<u2", u16},
                                                  {"<u4", u32},
                                                  {"<u8", u64},
                                                  {"|i1", i8},
                                                  {"<i2", i16},
                                                  {"<i4", i32},
                                                  {"<i8", i64},
                                                  {"<f2", f16},
                                                  {"<f4", f32},
                                                  {"<f8", f64}});
  const auto found = std::ranges::find(rows, descr, &Row::text);
  return found == rows.end() ? std::nullopt : std::optional(found->type);
}

/// Where the literal begins, and how long it is.
std::pair<std::size_t, std::size_t> place_of_literal(std::string_view head, const std::string& name) {
  const auto byte = [&](std::size_t at) -> std::size_t { return static_cast<unsigned char>(head[at]); };
  if (head.size() < 10 || !head.starts_with(kMagic))
    throw Error(ErrorKind::input, fmt::format("{}: is no .npy file; write it with numpy.save", name));
  if (byte(6) < 1 || byte(6) > 3)
    throw Error(ErrorKind::input,
                fmt::format("{}: has version {} of the .npy format; versions 1 to 3 are read", name, byte(6)));
  if (byte(6) == 1) return {10, byte(8) | byte(9) << 8};
  if (head.size() < 12) throw Error(ErrorKind::input, fmt::format("{}: is cut off in its .npy header", name));
  return {12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

}  // namespace

NpyHeader parse_npy_header(std::string_view head, std::uint64_t file_bytes, const std::string& name) {
  const auto [begin, size] = place_of_literal(head, name);
  if (size > kMostNpyHeader - begin)
    throw Error(ErrorKind::input,
                fmt::format("{}: has a .npy header of {} bytes; of an array of numbers it has at most {}", name, size,
                            kMostNpyHeader - begin));
  if (size > head.size() - begin) throw Error(ErrorKind::input, fmt::format("{}: is cut off in its .npy header", name));

  Reader reader(head.substr(begin, size), name);
  std::optional<std::string_view> descr;
  std::optional<bool> by_columns;
  std::optional<std::vector<std::int64_t>> shape;
  reader.expect("{");
  while (!reader.pass("}")) {
    const std::string_view key = reader.quoted();
    reader.expect(":");
    if (key == "descr") {
      if (reader.pass("["))
        throw Error(ErrorKind::input, fmt::format("{}: holds records; save an array of numbers", name));
      descr = reader.quoted();
    } else if (key == "fortran_order") {
      by_columns = reader.truth();
    } else if (key == "shape") {
      shape = reader.sides();
    } else {
      reader.damaged(fmt::format("has the key '{}'", key));
    }
    if (!reader.pass(",")) {
      reader.expect("}");
      break;
    }
  }
  if (!descr || !by_columns || !shape) reader.damaged("lacks one of descr, fortran_order and shape");

  const auto type = type_of(*descr);
  if (!type)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: holds numbers of the type '{}', which is not read; save them as array.astype('float32') "
                    "or 'int32'",
                    name, *descr));
  NpyHeader header{*type, *by_columns, std::move(*shape), 1, begin + size};
  for (const std::int64_t side : header.shape) {
    if (side < 1) throw Error(ErrorKind::input, fmt::format("{}: holds an array without numbers", name));
    if (header.numbers > std::numeric_limits<std::int64_t>::max() / 16 / side)
      reader.damaged("has a shape of more numbers than any file holds");
    header.numbers *= side;
  }
  const std::uint64_t needed = header.begin + static_cast<std::uint64_t>(header.numbers) * bytes_of(header.type);
  if (file_bytes < needed)
    throw Error(ErrorKind::input,
                fmt::format("{}: is cut off: it has {} bytes, and its {} numbers of {} need {}; copy or "
                            "write it again",
                            name, file_bytes, header.numbers, name_of(header.type), needed));
  return header;
}

}  // namespace starpath::io
