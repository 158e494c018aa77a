// Names that are compared without regard to capitals.
#pragma once
#include <algorithm>
#include <string>

namespace starpath {

/// `text` with a to z for A to Z; bytes of other letters stay, whatever the locale.
inline std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace starpath
