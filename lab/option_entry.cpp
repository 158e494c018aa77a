#include "lab/option_entry.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"

namespace starpath::lab {

OptionEntry::OptionEntry(std::string_view option, std::string_view form, std::string_view text)
    : option_(option), form_(form), text_(text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) fail();
  name_ = text.substr(0, equals);
  value_ = text.substr(equals + 1);
}

void OptionEntry::fail() const {
  throw Error(ErrorKind::usage, fmt::format("{} {}: expected {}", option_, text_, form_));
}

template <class Number>
Number OptionEntry::read(std::string_view text) const {
  Number value{};
  const char *const begin = text.data(), *const end = begin + text.size();
  if (const auto [stop, problem] = std::from_chars(begin, end, value); problem != std::errc() || stop != end) fail();
  return value;
}

double OptionEntry::number() const { return read<double>(value_); }

unsigned OptionEntry::count() const { return read<unsigned>(value_); }

std::vector<unsigned> OptionEntry::counts() const {
  std::vector<unsigned> all;
  std::string_view rest = value_;
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = rest.find(',');
    all.push_back(read<unsigned>(rest.substr(0, comma)));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return all;
}

}  // namespace starpath::lab
