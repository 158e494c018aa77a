// From the text of a sweep to parameters.
#include "pipelines/preview/variants.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "base/pure/parse_number.hpp"

namespace starpath {
namespace {

[[noreturn]] void refuse(const std::string& sweep, const std::string& why) {
  throw Error(
      ErrorKind::usage,
      fmt::format("--sweep {}: {}; give NAME=FIRST:LAST:STEP, like G1=20:100:20, or NAME=VALUE,VALUE,...", sweep, why));
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

double number(const std::string& sweep, const std::string& text) {
  const auto value = parse_number<double>(text);
  if (!value || !std::isfinite(*value)) refuse(sweep, "'" + text + "' is no number");
  return *value;
}

/// Both ends included.
std::vector<std::string> range(const std::string& sweep, const std::vector<std::string>& parts) {
  if (parts.size() != 3) refuse(sweep, "a range has three numbers");
  const double first = number(sweep, parts[0]), last = number(sweep, parts[1]), step = number(sweep, parts[2]);
  if (!(step > 0) || last < first) refuse(sweep, "the step must be positive and the last value not below the first");
  const double steps = std::floor((last - first) / step * (1 + 1e-12) + 1e-9);
  if (steps >= static_cast<double>(kMostSwept)) refuse(sweep, fmt::format("more than {} values", kMostSwept));
  std::vector<std::string> values;
  for (int i = 0; i <= static_cast<int>(steps); ++i) values.push_back(fmt::format("{:.10g}", first + i * step));
  return values;
}

}  // namespace

std::vector<Variant> variants_of(const AskedParameters& given, const std::string& sweep) {
  std::vector<Variant> variants = {{"as given", parameters_of(given)}};
  if (sweep.empty()) return variants;
  const auto equals = sweep.find('=');
  if (equals == std::string::npos || equals == 0) refuse(sweep, "it names no parameter");
  const std::string name = sweep.substr(0, equals), said = sweep.substr(equals + 1);
  const auto values = said.find(':') == std::string::npos ? split(said, ',') : range(sweep, split(said, ':'));
  if (values.size() > kMostSwept) refuse(sweep, fmt::format("more than {} values", kMostSwept));
  for (const std::string& value : values) {
    AskedParameters asked = given;
    asked.said.push_back(fmt::format("{}={}", name, value));
    variants.push_back({asked.said.back(), parameters_of(asked)});
  }
  return variants;
}

}  // namespace starpath
