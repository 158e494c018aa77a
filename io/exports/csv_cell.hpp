// A cell of a table of comma-separated values.
#pragma once
#include <string>

namespace starpath::io {

/// The text as RFC 4180 has it: in double quotes where it holds a comma, a quote or the end of a line. A text that
/// spreadsheets would run as a formula (it begins with = + - @, a tab or a carriage return, and is no number) gets an
/// apostrophe in front (OWASP, "CSV Injection").
std::string csv_cell(const std::string& text);

}  // namespace starpath::io
