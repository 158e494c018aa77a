// Reads tile names from their end: words and numbers, whatever separates them.
#include "io/slides/tile_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/lower_case.hpp"
#include "base/pure/ascii.hpp"
#include "base/pure/parse_number.hpp"

namespace starpath::io {
namespace {

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool separates(char c) { return std::string_view("_-=,:;()[] ").find(c) != std::string_view::npos; }

enum class Meaning { x, y, width, height, row, column, downsample, nothing, unknown };

Meaning meaning_of(std::string_view word) {
  struct Word {
    std::string_view text;
    Meaning meaning;
  };
  constexpr std::array words = std::to_array<Word>({
      {"x", Meaning::x},           {"left", Meaning::x},        {"y", Meaning::y},
      {"top", Meaning::y},         {"w", Meaning::width},       {"width", Meaning::width},
      {"h", Meaning::height},      {"height", Meaning::height}, {"r", Meaning::row},
      {"row", Meaning::row},       {"c", Meaning::column},      {"col", Meaning::column},
      {"column", Meaning::column}, {"d", Meaning::downsample},  {"z", Meaning::nothing},
      {"t", Meaning::nothing},     {"l", Meaning::nothing},     {"lvl", Meaning::nothing},
      {"level", Meaning::nothing}, {"mag", Meaning::nothing},   {"s", Meaning::nothing},
      {"size", Meaning::nothing},  {"right", Meaning::nothing}, {"bottom", Meaning::nothing},
  });
  const auto found = std::ranges::find(words, word, &Word::text);
  return found == words.end() ? Meaning::unknown : found->meaning;
}

/// A number at the end of a name, with the word before it; "" without one.
struct Item {
  std::string_view word, number;
  bool is_apart;  // something separates the number from what is before it
};

/// Takes an item off the end of a name in lower case.
class FromEnd {
 public:
  explicit FromEnd(std::string_view text) : rest_(text) {
    while (!rest_.empty() && (rest_.back() == ']' || rest_.back() == ')')) rest_.remove_suffix(1);
  }

  /// nothing: the name does not end with a number that can be one of these.
  std::optional<Item> next() {
    std::string_view number = take(is_digit);
    if (number.empty()) return std::nullopt;
    if (const std::size_t whole = digits_before_point(); whole > 0) {
      number = {number.data() - whole - 1, number.size() + whole + 1};
      rest_.remove_suffix(whole + 1);
    }
    Item item{"", number, skip_separators()};
    const std::string_view behind = rest_;
    item.word = take(is_small_letter);
    if (meaning_of(item.word) == Meaning::unknown) {  // free text, or the number before
      rest_ = behind;
      item.word = "";
    } else {
      item.is_apart = skip_separators() || rest_.empty() || item.is_apart;
    }
    return item;
  }

 private:
  /// Digits of a downsample before a point at the end of what is left: nothing else has a fraction.
  std::size_t digits_before_point() const {
    if (!rest_.ends_with('.')) return 0;
    FromEnd before(*this);
    before.rest_.remove_suffix(1);
    const std::size_t digits = before.take(is_digit).size();
    before.skip_separators();
    return meaning_of(before.take(is_small_letter)) == Meaning::downsample ? digits : 0;
  }

  std::string_view take(bool (*is_part)(char)) {
    std::size_t begin = rest_.size();
    while (begin > 0 && is_part(rest_[begin - 1])) --begin;
    const std::string_view taken = rest_.substr(begin);
    rest_.remove_suffix(taken.size());
    return taken;
  }
  bool skip_separators() {
    const std::size_t size = rest_.size();
    while (!rest_.empty() && separates(rest_.back())) rest_.remove_suffix(1);
    return rest_.size() < size;
  }

  std::string_view rest_;
};

/// No slide needs more digits than nine, and nine always fit.
std::optional<std::int64_t> whole(std::string_view number) {
  return number.size() <= 9 ? parse_number<std::int64_t>(number) : std::nullopt;
}

/// What the words behind each other say, from the end up to the first number without one.
std::optional<TileName> with_words(FromEnd name) {
  std::array<std::string_view, static_cast<std::size_t>(Meaning::unknown)> said;
  const auto at = [&](Meaning meaning) -> std::string_view& { return said[static_cast<std::size_t>(meaning)]; };
  for (auto item = name.next(); item && !item->word.empty(); item = name.next()) {
    const Meaning meaning = meaning_of(item->word);
    if (!at(meaning).empty() && meaning != Meaning::nothing) break;  // of the free text before
    at(meaning) = item->number;
  }
  const auto number = [&](Meaning meaning) { return whole(at(meaning)); };
  const auto row = number(Meaning::row), column = number(Meaning::column);
  if (row && column) return TileName{TileNaming::row_column, *column, *row};
  const auto x = number(Meaning::x), y = number(Meaning::y);
  const double downsample = parse_number<double>(at(Meaning::downsample)).value_or(1);
  if (!x || !y || !(downsample >= 0.001 && downsample <= 1e6)) return std::nullopt;
  const auto down = [&](std::optional<std::int64_t> v) {
    return static_cast<std::int64_t>(std::llround(static_cast<double>(v.value_or(0)) / downsample));
  };
  return TileName{TileNaming::offset, down(x), down(y), down(number(Meaning::width)), down(number(Meaning::height))};
}

/// A word may stand before the first of them, as part of the free text.
std::optional<TileName> plain_numbers(FromEnd name, bool with_size) {
  const std::size_t wanted = with_size ? 4 : 2;
  std::vector<std::int64_t> numbers;  // the last first
  for (bool is_apart = true; numbers.size() < wanted;) {
    const auto item = is_apart ? name.next() : std::nullopt;
    const bool fits = item && (item->word.empty() || numbers.size() + 1 == wanted);
    const auto value = fits ? whole(item->number) : std::nullopt;
    if (!value) return std::nullopt;
    numbers.push_back(*value);
    is_apart = item->is_apart;
  }
  if (with_size) return TileName{TileNaming::plain, numbers[3], numbers[2], numbers[1], numbers[0]};
  return TileName{TileNaming::plain, numbers[1], numbers[0]};
}

/// Without a size like "512x512" behind the place, which would read as an x.
std::string_view without_size(std::string_view name) {
  const auto digits_end = name.find_last_not_of("0123456789");
  if (digits_end == name.npos || name[digits_end] != 'x' || digits_end + 1 == name.size()) return name;
  const auto before = name.substr(0, digits_end).find_last_not_of("0123456789");
  if (before == name.npos || before + 1 == digits_end || !separates(name[before])) return name;
  const std::string_view rest = name.substr(0, before);
  return rest.empty() || !is_digit(rest.back()) ? name : rest;
}

}  // namespace

std::optional<TileName> parse_tile_name(const std::string& stem, bool with_size) {
  const std::string lower = lower_case(stem);
  const FromEnd name(without_size(lower));
  if (const auto found = with_words(name)) return found;
  return plain_numbers(name, with_size);
}

const char* describe(TileNaming naming) {
  switch (naming) {
    case TileNaming::row_column:
      return "by row and column";
    case TileNaming::offset:
      return "by x and y";
    case TileNaming::plain:
      return "by column and row";
  }
  return "";
}

}  // namespace starpath::io
