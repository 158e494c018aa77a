// Symbols are compared as they are, because "Mm" is no millimetre; words in any case.
#include "io/slides/length_units.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/lower_case.hpp"

namespace starpath::io {
namespace {

struct Unit {
  std::string_view name;
  double micrometres;
};

// Characters beyond ASCII are 'u' here.
constexpr std::array<Unit, 14> kSymbols = {{{"um", 1},
                                            {"u", 1},
                                            {"nm", 1e-3},
                                            {"pm", 1e-6},
                                            {"mm", 1e3},
                                            {"cm", 1e4},
                                            {"dm", 1e5},
                                            {"m", 1e6},
                                            {"in", 25400},
                                            {"\"", 25400},
                                            {"thou", 25.4},
                                            {"mil", 25.4},
                                            {"li", 25400.0 / 12},
                                            {"pt", 25400.0 / 72}}};

// Without the plural's s, and with "meter" for "metre".
constexpr std::array<Unit, 10> kWords = {{{"micron", 1},
                                          {"mikron", 1},
                                          {"micrometer", 1},
                                          {"mikrometer", 1},
                                          {"umeter", 1},
                                          {"nanometer", 1e-3},
                                          {"millimeter", 1e3},
                                          {"centimeter", 1e4},
                                          {"meter", 1e6},
                                          {"inch", 25400}}};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Escapes of the micro sign and of the letter mu, and characters beyond ASCII or lost ones, as one 'u' each time.
std::string with_u(std::string_view text) {
  constexpr std::array<std::string_view, 12> escapes = {"\\u00b5", "\\u03bc", "\\xb5",   "\\265", "&#181;", "&#956;",
                                                        "&#xb5;",  "&#x3bc;", "&micro;", "&mu;",  "%b5",    "%c2%b5"};
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const std::string rest = lower_case(std::string(text.substr(i, 8)));
    const auto* escape = std::ranges::find_if(escapes, [&](std::string_view each) { return rest.starts_with(each); });
    const bool beyond_ascii = static_cast<unsigned char>(text[i]) >= 0x80 || text[i] == '?';
    i += escape != escapes.end() ? escape->size() : 1;
    if (escape == escapes.end() && !beyond_ascii)
      plain += text[i - 1];
    else if (!plain.ends_with('u'))
      plain += 'u';
  }
  return plain;
}

template <std::size_t count>
std::optional<double> found_in(const std::array<Unit, count>& units, std::string_view name) {
  const auto* found = std::ranges::find(units, name, &Unit::name);
  return found == units.end() ? std::nullopt : std::optional(found->micrometres);
}

}  // namespace

std::optional<double> micrometres_of(std::string_view unit) {
  unit = trimmed(unit);
  if (unit == "\u00c5" || unit == "\u212b") return 1e-4;  // angstrom, also as a letter
  if (unit == "?" || unit.size() > 32) return std::nullopt;
  const std::string symbol = with_u(unit);
  if (symbol == "u" && unit != "u") return std::nullopt;  // of one character beyond ASCII nothing is known
  if (const auto found = found_in(kSymbols, symbol)) return found;
  std::string word = lower_case(symbol);
  if (symbol.size() == 2 && std::ranges::all_of(symbol, [](char c) { return c >= 'A' && c <= 'Z'; }))
    return found_in(kSymbols, word);
  if (word == "inches") word = "inch";
  if (word.ends_with('s')) word.pop_back();
  if (word.ends_with("metre")) word.replace(word.size() - 2, 2, "er");
  return found_in(kWords, word);
}

}  // namespace starpath::io
