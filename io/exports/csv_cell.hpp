// A cell of a table of comma-separated values.
#pragma once
#include <string>

namespace starpath::io {

/// The text as RFC 4180 has it: in double quotes where it holds a comma, a quote or the end of a line.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    cell += c;
    if (c == '"') cell += c;
  }
  return cell + '"';
}

}  // namespace starpath::io
