// Formulas first, then quotes.
#include "io/exports/csv_cell.hpp"

#include <cmath>
#include <string_view>

#include "base/pure/parse_number.hpp"

namespace starpath::io {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value);
}

bool is_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos && !is_number(text);
}

}  // namespace

std::string csv_cell(const std::string& text) {
  std::string shown = is_formula(text) ? "'" + text : text;
  if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
  std::string cell = "\"";
  for (const char c : shown) {
    cell += c;
    if (c == '"') cell += c;
  }
  return cell + '"';
}

}  // namespace starpath::io
