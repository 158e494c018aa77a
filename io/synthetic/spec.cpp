// Parses the specification of a synthetic slide.
#include "io/synthetic/spec.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/error.hpp"

namespace starpath::io {
namespace {

constexpr std::string_view kPrefix = "synthetic:";
constexpr std::int64_t kMaxSide = 1'000'000;

[[noreturn]] void fail(const std::string& text, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}; write synthetic:WIDTHxHEIGHT[,seed=N][,density=0..4][,mpp=0.1..2]"
                                            "[,pattern=tissue|stroma], for example synthetic:8192x8192,seed=7",
                                            text, what));
}

template <class T>
bool parse(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

void parse_size(const std::string& text, std::string_view part, SyntheticSpec& spec) {
  const std::size_t cross = part.find('x');
  if (cross == std::string_view::npos || !parse(part.substr(0, cross), spec.width) ||
      !parse(part.substr(cross + 1), spec.height))
    fail(text, fmt::format("'{}' is no size", part));
  if (spec.width < 1 || spec.height < 1 || spec.width > kMaxSide || spec.height > kMaxSide)
    fail(text, fmt::format("'{}' is out of range: each side has 1 to {} pixels", part, kMaxSide));
}

bool parse_pattern(std::string_view text, SyntheticPattern& pattern) {
  pattern = text == "stroma" ? SyntheticPattern::stroma : SyntheticPattern::tissue;
  return text == "stroma" || text == "tissue";
}

void parse_option(const std::string& text, std::string_view part, SyntheticSpec& spec) {
  const std::size_t equals = part.find('=');
  const std::string_view name = part.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
  bool good = false;
  if (name == "seed")
    good = parse(value, spec.seed);
  else if (name == "density")
    good = parse(value, spec.density) && spec.density >= 0 && spec.density <= 4;
  else if (name == "mpp")
    good = parse(value, spec.mpp) && spec.mpp >= 0.1 && spec.mpp <= 2;
  else if (name == "pattern")
    good = parse_pattern(value, spec.pattern);
  else
    fail(text, fmt::format("'{}' is no option", name));
  if (!good) fail(text, fmt::format("'{}' is no valid value of {}", value, name));
}

}  // namespace

SyntheticSpec parse_synthetic(const std::string& text) {
  SyntheticSpec spec;
  std::string_view rest = text;
  if (!rest.starts_with(kPrefix)) fail(text, "is no synthetic slide");
  rest.remove_prefix(kPrefix.size());
  std::size_t comma = rest.find(',');
  parse_size(text, rest.substr(0, comma), spec);
  while (comma != std::string_view::npos) {
    rest.remove_prefix(comma + 1);
    comma = rest.find(',');
    parse_option(text, rest.substr(0, comma), spec);
  }
  return spec;
}

}  // namespace starpath::io
