// Text from elsewhere inside a message of one line.
#pragma once
#include <algorithm>
#include <string>

namespace starpath {

/// `text` with a space for each control character: what a file holds may be quoted in a message.
inline std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace starpath
