// A grammar for Boost.Spirit, which comes with the headers of Boost that the build needs anyway. Of the CSV libraries
// that Debian packages, libfccp fixes the columns at compile time and libcsv needs more code than this grammar.
#include "apps/profile/csv_cells.hpp"

#include <boost/spirit/home/x3.hpp>

namespace starpath::apps {
namespace {

namespace x3 = boost::spirit::x3;

const auto kQuote = x3::rule<struct Quote, char>{} = "\"\"" >> x3::attr('"');
const auto kQuoted = x3::rule<struct Quoted, std::string>{} = '"' >> *(kQuote | ~x3::char_('"')) >> ('"' | x3::eoi);
const auto kPlain = x3::rule<struct Plain, std::string>{} = +~x3::char_(",\"");
const auto kCell = x3::rule<struct Cell, std::string>{} = *(kQuoted | kPlain);

}  // namespace

std::vector<std::string> csv_cells(std::string line) {
  std::erase(line, '\r');
  std::vector<std::string> cells;
  x3::parse(line.begin(), line.end(), kCell % ',', cells);
  return cells;
}

}  // namespace starpath::apps
