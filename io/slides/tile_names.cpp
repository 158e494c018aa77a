// Reads tile names from their end.
#include "io/slides/tile_names.hpp"

#include <charconv>
#include <string_view>

namespace starpath::io {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

// Takes pieces off the end of a name in lower case. Once a piece that must be there is not, good() is false.
class FromEnd {
 public:
  explicit FromEnd(std::string_view text) : rest_(text) {}

  std::int64_t number() {
    std::size_t begin = rest_.size();
    while (begin > 0 && is_digit(rest_[begin - 1])) --begin;
    const std::string_view digits = rest_.substr(begin);
    rest_.remove_suffix(digits.size());
    std::int64_t value = 0;
    if (digits.empty() || digits.size() > 9) good_ = false;  // no slide needs more, and nine always fit
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  bool separator() {
    const bool found = rest_.ends_with('_') || rest_.ends_with('-');
    if (found) rest_.remove_suffix(1);
    return found;
  }
  void word(std::string_view whole, std::string_view brief) {
    separator();
    for (const std::string_view form : {whole, brief}) {
      if (!rest_.ends_with(form)) continue;
      rest_.remove_suffix(form.size());
      return;
    }
    good_ = false;
  }
  // A word begins here: the character before it is no letter.
  void word_begin() { good_ = good_ && (rest_.empty() || !is_letter(rest_.back())); }
  void need(bool found) { good_ = good_ && found; }
  bool good() const { return good_; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::optional<TileName> with_words(FromEnd name, TileNaming naming, std::string_view first,
                                   std::string_view first_brief, std::string_view second,
                                   std::string_view second_brief) {
  const std::int64_t last = name.number();
  name.word(second, second_brief);
  name.separator();
  const std::int64_t leading = name.number();
  name.word(first, first_brief);
  name.word_begin();
  if (!name.good()) return std::nullopt;
  return naming == TileNaming::row_column ? TileName{naming, last, leading} : TileName{naming, leading, last};
}

std::optional<TileName> two_numbers(FromEnd name) {
  const std::int64_t row = name.number();
  name.need(name.separator());
  const std::int64_t column = name.number();
  if (!name.good()) return std::nullopt;
  return TileName{TileNaming::plain, column, row};
}

}  // namespace

std::optional<TileName> parse_tile_name(const std::string& stem) {
  std::string lower = stem;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const FromEnd name(lower);
  if (const auto found = with_words(name, TileNaming::row_column, "row", "r", "col", "c")) return found;
  if (const auto found = with_words(name, TileNaming::offset, "x", "x", "y", "y")) return found;
  return two_numbers(name);
}

}  // namespace starpath::io
