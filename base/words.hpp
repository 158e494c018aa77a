// Numbers in sentences.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace starpath {

/// "1 worker", "2 workers".
inline std::string plural(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "1,234,567".
inline std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

/// "1 nucleus", "1,234 nuclei".
inline std::string nuclei_text(std::int64_t count) { return count == 1 ? "1 nucleus" : grouped(count) + " nuclei"; }

}  // namespace starpath
