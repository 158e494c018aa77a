// Ranges of numbers on the command line.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "base/pure/parse_number.hpp"

namespace starpath::apps {

/// A check of an option: a number from `low` to `high`. Unlike CLI11's own it takes neither NaN nor infinity, and its
/// words do not depend on CLI11's version.
inline CLI::Validator number_between(double low, double high) {
  const std::string range = fmt::format("{} to {}", low, high);
  const auto check = [low, high, range](const std::string& text) -> std::string {
    const auto value = parse_number<double>(text);
    if (value && *value >= low && *value <= high) return "";
    return fmt::format("'{}' is no number from {}", text, range);
  };
  return {check, fmt::format("NUMBER from {}", range), "number_between"};
}

}  // namespace starpath::apps
