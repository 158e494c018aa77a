// Text that comes from outside as UTF-8.
#pragma once
#include <cstddef>
#include <string_view>

namespace starpath {

/// Whether `text` is UTF-8 as Unicode defines it: no overlong forms, no surrogates.
inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    if (first < 0x80) continue;
    const int more = first >= 0xc2 && first < 0xe0   ? 1
                     : first >= 0xe0 && first < 0xf0 ? 2
                     : first >= 0xf0 && first < 0xf5 ? 3
                                                     : 0;
    if (more == 0) return false;
    // The second byte has less room than the others where a shorter form, a surrogate or no character would fit.
    const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (int byte = 0; byte < more; ++byte, ++i) {
      if (i == text.size()) return false;
      const auto next = static_cast<unsigned char>(text[i]);
      if (next < (byte == 0 ? least : 0x80) || next > (byte == 0 ? most : 0xbf)) return false;
    }
  }
  return true;
}

/// `text` without the byte order mark that some programs begin UTF-8 with.
inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

/// The start of `text` that has at most `bytes` bytes and ends between characters.
inline std::string_view utf8_start(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace starpath
