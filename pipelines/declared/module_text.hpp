// What a module says, in messages.
#pragma once
#include <cstddef>
#include <string>
#include <utility>

#include "base/one_line.hpp"
#include "base/utf8.hpp"

namespace starpath {

/// `text` as one line of UTF-8 without control characters: spaces for them, and for each byte that is not ASCII a
/// question mark when the whole is no UTF-8.
inline std::string module_text(std::string text) {
  text = one_line(std::move(text));
  if (!is_utf8(text)) {
    for (char& c : text)
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    return text;
  }
  // U+0080 to U+009F are control characters too, and terminals obey them.
  for (std::size_t at = 0; (at = text.find('\xc2', at)) != std::string::npos; ++at)
    if (static_cast<unsigned char>(text[at + 1]) < 0xa0) text.replace(at, 2, " ");
  return text;
}

}  // namespace starpath
