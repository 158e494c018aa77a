// Numbers in sentences.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace starpath::apps {

/// "1 worker", "2 workers".
inline std::string plural(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace starpath::apps
