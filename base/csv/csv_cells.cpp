// A grammar for Boost.Spirit, which comes with the headers of Boost that the build needs anyway. Of the CSV libraries
// that Debian packages, libfccp fixes the columns at compile time and libcsv needs more code than this grammar.
#include "base/csv/csv_cells.hpp"

#include <fmt/format.h>

#include <boost/spirit/home/x3.hpp>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace starpath {
namespace {

namespace x3 = boost::spirit::x3;

const auto kQuote = x3::rule<struct Quote, char>{} = "\"\"" >> x3::attr('"');
const auto kQuoted = x3::rule<struct Quoted, std::string>{} = '"' >> *(kQuote | ~x3::char_('"')) >> '"';

}  // namespace

std::vector<std::string> csv_cells(const std::string& file, std::size_t number, std::string line, char between) {
  const auto refuse = [&](const char* what) {
    throw Error(ErrorKind::input, fmt::format("{}:{}: {}", file, number, what));
  };
  if (!is_utf8(line)) refuse("is not UTF-8; save it as CSV UTF-8");
  if (line.find('\0') != std::string::npos) refuse("holds a NUL byte; save it as CSV UTF-8");
  std::erase(line, '\r');
  std::vector<std::string> cells;
  auto place = line.begin();
  const auto plain = x3::rule<struct Plain, std::string>{} = +(x3::char_ - x3::char_(between) - x3::char_('"'));
  const auto cell = x3::rule<struct Cell, std::string>{} = *(kQuoted | plain);
  x3::parse(place, line.end(), cell % between, cells);
  if (place != line.end())
    refuse("has a double quote that is not closed in this line; close it, and double one that is part of a cell");
  return cells;
}

}  // namespace starpath
