#include "base/text_encoding.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"

namespace starpath {
namespace {

constexpr char32_t kReplacement = 0xfffd;

/// Of the bytes 0x80 to 0x9f, as the WHATWG's Encoding Standard has them for windows-1252.
constexpr std::array<char16_t, 32> kWindows = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                               0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                               0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                               0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};

void append(std::string& text, char32_t c) {
  const auto rest = [&](int shift) { text += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xc0 | (c >> 6));
    rest(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | (c >> 12));
    rest(6);
    rest(0);
  } else {
    text += static_cast<char>(0xf0 | (c >> 18));
    rest(12);
    rest(6);
    rest(0);
  }
}

std::string from_utf16(std::string_view bytes, bool big_end_first) {
  const auto unit = [&](std::size_t i) -> char32_t {
    const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
    return big_end_first ? a * 256U + b : b * 256U + a;
  };
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const char32_t c = unit(i);
    const bool leads = c >= 0xd800 && c < 0xdc00, follows = c >= 0xdc00 && c < 0xe000;
    const char32_t next = leads && i + 3 < bytes.size() ? unit(i + 2) : 0;
    if (next >= 0xdc00 && next < 0xe000) {
      append(text, 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00));
      i += 2;
    } else {
      append(text, leads || follows ? kReplacement : c);
    }
  }
  if (bytes.size() % 2 != 0) append(text, kReplacement);
  return text;
}

std::string from_windows(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto c = static_cast<unsigned char>(byte);
    append(text, c >= 0x80 && c < 0xa0 ? kWindows[c - 0x80U] : c);
  }
  return text;
}

}  // namespace

DecodedText decoded_text(std::string bytes) {
  const std::string_view view = bytes;
  const bool is_even = view.size() >= 2 && view.size() % 2 == 0;
  if (view.starts_with("\xfe\xff")) return {from_utf16(view.substr(2), true), TextEncoding::utf16};
  if (view.starts_with("\xff\xfe")) return {from_utf16(view.substr(2), false), TextEncoding::utf16};
  if (is_even && view[0] == '\0' && view[1] != '\0') return {from_utf16(view, true), TextEncoding::utf16};
  if (is_even && view[0] != '\0' && view[1] == '\0') return {from_utf16(view, false), TextEncoding::utf16};
  if (!is_utf8(view)) return {from_windows(view), TextEncoding::latin1};
  if (const std::string_view marked = without_byte_order_mark(view); marked.size() < view.size())
    return {std::string(marked), TextEncoding::utf8};
  return {std::move(bytes), TextEncoding::utf8};
}

}  // namespace starpath
