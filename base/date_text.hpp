// When something was, in words.
#pragma once
#include <ctime>
#include <string>

namespace starpath {

/// "2026-01-31 12:00 UTC". Thread-safe.
inline std::string date_text(std::time_t time) {
  std::tm parts{};
  char text[64];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&time, &parts))};
}

}  // namespace starpath
