// From text to a rectangle.
#include "pipelines/run/roi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace starpath {

bool names_region_file(const std::string& roi) {
  return roi.find_first_not_of("0123456789-+.,; ") != std::string::npos;
}

std::vector<std::int64_t> roi_numbers(const std::string& text) {
  std::vector<std::int64_t> numbers;
  const char* const end = text.data() + text.size();
  const auto is_between = [](char c) { return c == ',' || c == ';' || c == ' '; };
  for (const char* at = std::find_if_not(text.data(), end, is_between); at != end;) {
    std::int64_t number = 0;
    const auto [stopped, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (stopped != end && !is_between(*stopped))) break;
    numbers.push_back(number);
    at = std::find_if_not(stopped, end, is_between);
    if (at == end && numbers.size() == 4) return numbers;
  }
  throw Error(ErrorKind::usage,
              fmt::format("roi '{}' is not x,y,width,height, in whole level-0 pixels and with commas between", text));
}

std::string flaw_of_roi(const std::string& text, bool may_be_file) {
  if (may_be_file && names_region_file(text)) return "";
  try {
    roi_numbers(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Rect working_roi(const std::string& roi, double scale) {
  if (roi.empty()) return {};
  const std::vector<std::int64_t> said = roi_numbers(roi);
  if (said[0] < 0 || said[1] < 0 || said[2] <= 0 || said[3] <= 0)
    throw Error(ErrorKind::usage,
                "--roi takes x,y,width,height in level-0 pixels: x and y not negative, width and height positive");
  const auto down = [&](std::int64_t value) { return static_cast<std::int64_t>(static_cast<double>(value) / scale); };
  const std::int64_t x = down(said[0]), y = down(said[1]);
  return {x, y, down(said[0] + said[2] - 1) + 1 - x, down(said[1] + said[3] - 1) + 1 - y};
}

}  // namespace starpath
