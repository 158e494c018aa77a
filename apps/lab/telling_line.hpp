// What to show of all that a simulation writes.
#pragma once
#include <algorithm>
#include <string>

namespace starpath::apps {

/// The line of SimGrid's, StarPU's or our own that says most.
inline std::string telling_line(const std::string& errors) {
  std::string last;
  std::size_t begin = 0;
  while (begin < errors.size()) {
    const auto end = std::min(errors.find('\n', begin), errors.size());
    const std::string line = errors.substr(begin, end - begin);
    begin = end + 1;
    if (line.find("Deadlock") != std::string::npos || line.find("ssert") != std::string::npos ||
        line.starts_with("starpath"))
      return line;
    if (!line.empty() && line.find("xbt_cfg") == std::string::npos) last = line;
  }
  return last;
}

}  // namespace starpath::apps
