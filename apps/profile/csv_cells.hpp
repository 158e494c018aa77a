// Lines of comma-separated values.
#pragma once
#include <string>
#include <vector>

namespace starpath::apps {

/// The cells of a line (RFC 4180): a cell in double quotes may hold commas and, doubled, quotes. Carriage returns are
/// left out. A quote that is never closed ends with the line.
std::vector<std::string> csv_cells(std::string line);

}  // namespace starpath::apps
