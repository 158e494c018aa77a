// Lists of numbers and names as text.
#include "estimator/store/number_lists.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace starpath {
namespace {

template <class Number>
std::string join(std::span<const Number> numbers) {
  std::string text;
  std::array<char, 32> buffer{};
  for (const Number number : numbers) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    if (!text.empty()) text += ' ';
    text.append(buffer.data(), end);
  }
  return text;
}

template <class Number, class Add>
bool read(std::string_view text, Add add) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    Number number{};
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || !add(number) || (next != end && *next != ' ')) return false;
    at = next == end ? end : next + 1;
  }
  return true;
}

}  // namespace

std::string join_numbers(std::span<const double> numbers) { return join(numbers); }
std::string join_numbers(std::span<const std::int64_t> numbers) { return join(numbers); }

bool read_numbers(std::string_view numeric, std::string_view categorical, Features& features) {
  return read<double>(numeric, [&](double number) { return features.add_numeric(number); }) &&
         read<std::int64_t>(categorical, [&](std::int64_t number) { return features.add_categorical(number); });
}

std::string join_names(std::span<const std::string> names) {
  std::string text;
  for (std::string name : names) {
    std::ranges::replace(name, '\n', ' ');
    text += name + '\n';
  }
  return text;
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n')) {
    names.emplace_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  return names;
}

}  // namespace starpath
