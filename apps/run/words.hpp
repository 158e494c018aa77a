// Numbers in sentences.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "apps/run/progress_report.hpp"

namespace starpath::apps {

/// "1 worker", "2 workers".
inline std::string plural(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "1 nucleus", "1,234 nuclei".
inline std::string nuclei_text(std::int64_t count) { return count == 1 ? "1 nucleus" : grouped(count) + " nuclei"; }

}  // namespace starpath::apps
