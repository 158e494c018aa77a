// Lines of comma-separated values.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace starpath {

/// The cells of a line (RFC 4180): a cell in double quotes may hold commas and, doubled, quotes, but no line break.
/// `between`: what stands between cells, a comma, a semicolon or a tab.
/// Carriage returns are left out. Throws Error{input} naming `file` and the number of the line when that is not UTF-8,
/// holds a NUL byte, or a quote that is not closed.
std::vector<std::string> csv_cells(const std::string& file, std::size_t number, std::string line, char between = ',');

}  // namespace starpath
