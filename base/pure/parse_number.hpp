// Numbers from text, the same in every locale: strtod and std::stod take the decimal point of the locale that a library
// or a program around ours has set.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace starpath {

/// The number that `text` is as a whole: without a leading blank or '+'. "nan" and "inf" are numbers of type double.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace starpath
