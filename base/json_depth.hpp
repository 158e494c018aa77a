// How deep JSON from outside may nest.
#pragma once
#include <string_view>

namespace starpath {

inline constexpr int kMostJsonLevels = 100;

/// Whether `json` opens more than kMostJsonLevels arrays and objects in each other. The JSON library writes and
/// flattens values by recursion: a file of 100,000 brackets would overflow the stack. Looks at brackets outside of
/// strings only: true says nothing of whether it is JSON. Pure.
inline bool nests_deeply(std::string_view json) {
  int levels = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{')) {
      if (++levels > kMostJsonLevels) return true;
    } else if (!in_string && (c == ']' || c == '}')) {
      --levels;
    }
  }
  return false;
}

}  // namespace starpath
