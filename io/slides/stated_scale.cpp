// Programs write a resolution into a TIFF's description as `KEY = VALUE`, in one of many spellings. Tags hold another,
// or that of a printer.
#include "io/slides/stated_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/lower_case.hpp"
#include "base/pure/ascii.hpp"
#include "base/pure/parse_number.hpp"
#include "base/utf8.hpp"
#include "io/slides/length_units.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

constexpr std::size_t kMostRead = std::size_t{1} << 20;  // bytes of a description
constexpr std::size_t kMostQuoted = 60;                  // bytes of what is shown to people

// In small letters. Aperio, Hamamatsu and OpenSlide's copies of them; Akoya; Ventana; programs of laboratories.
constexpr std::array<std::string_view, 8> kSizeKeys = {
    "mpp",          "pixelsizemicrons", "pixel_size_um", "microns per pixel", "micronsperpixel", "microns_per_pixel",
    "physicalsize", "scanres"};
constexpr std::array<std::string_view, 5> kPowerKeys = {"appmag", "objective-power", "objective power",
                                                        "objectivepower", "magnification"};
// Values that may be of the camera, or in any unit.
constexpr std::array<std::string_view, 7> kVagueKeys = {
    "pixel size", "pixelsize", "pixel_size", "pixelwidth", "pixel width", "um per pixel", "spatial-calibration"};

/// A description, as it is and in small letters.
struct Text {
  std::string_view raw;
  std::string lower;
};

/// What people see of a text in any encoding: one line of ASCII.
std::string quoted(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, kMostQuoted)) shown += c >= 0x20 && c < 0x7f ? c : '?';
  while (shown.ends_with(' ') || shown.ends_with('?')) shown.pop_back();
  return '\'' + shown + '\'';
}

struct Number {
  double value;
  std::size_t end;  // behind it
};

/// The number that begins at `at`, with a point or a comma in it.
std::optional<Number> number_at(const std::string& text, std::size_t at) {
  std::string digits;
  std::size_t end = at;
  for (bool fraction = false; end < text.size() && digits.size() < 40; ++end) {
    const char c = text[end];
    const bool marks_fraction = (c == '.' || c == ',') && !fraction && end + 1 < text.size() && is_digit(text[end + 1]);
    const bool marks_power = c == 'e' && !digits.empty() && end + 1 < text.size() &&
                             (is_digit(text[end + 1]) || ((text[end + 1] == '-' || text[end + 1] == '+') &&
                                                          end + 2 < text.size() && is_digit(text[end + 2])));
    if (marks_power) {
      digits += c;
      if (!is_digit(text[end + 1])) ++end, digits += text[end] == '-' ? "-" : "";
      fraction = true;
      continue;
    }
    if (!marks_fraction && !is_digit(c)) break;
    fraction = fraction || marks_fraction;
    digits += marks_fraction ? '.' : c;
  }
  const auto value = parse_number<double>(digits.starts_with('.') ? '0' + digits : digits);
  return value ? std::optional(Number{*value, end}) : std::nullopt;
}

/// Past blanks, quotes, colons, equals signs and tags of XML; nothing where there was no sign that a value follows.
std::optional<std::size_t> value_after(const std::string& text, std::size_t at) {
  bool assigned = false, behind_tag = false;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '<') {
      const std::size_t close = text.find('>', at);
      if (close == std::string::npos || close - at > 200) return std::nullopt;
      at = close;
      assigned = behind_tag = true;
    } else if (c == ':' || c == '=' || c == '>') {
      assigned = true;
    } else if (c == '\r' || c == '\n') {
      if (!behind_tag) break;
    } else if (c != ' ' && c != '\t' && c != '"' && c != '\'' && c != '[') {
      break;
    }
    ++at;
  }
  return assigned && at < text.size() ? std::optional(at) : std::nullopt;
}

enum class Axis { both, x, y };

struct Found {
  Axis axis;
  std::optional<Number> number;  // none: what follows is no number
  std::size_t begin, value;      // of the key and of the value
};

/// Where `key` stands as a word with a value.
std::vector<Found> find_key(const Text& text, std::string_view key, bool with_axis) {
  std::vector<Found> all;
  const std::string& lower = text.lower;
  for (std::size_t at = lower.find(key); at != std::string::npos && all.size() < 20; at = lower.find(key, at + 1)) {
    if (at > 0 && (is_letter(lower[at - 1]) || is_digit(lower[at - 1]))) continue;
    std::size_t end = at + key.size();
    Axis axis = Axis::both;
    if (with_axis) {
      const bool joined = end + 1 < lower.size() && std::string_view("-_ .").find(lower[end]) != std::string_view::npos;
      const std::size_t letter = joined ? end + 1 : end;
      const bool is_axis = letter < lower.size() && (lower[letter] == 'x' || lower[letter] == 'y') &&
                           (letter + 1 == lower.size() || !is_letter(lower[letter + 1]));
      if (is_axis) axis = lower[letter] == 'x' ? Axis::x : Axis::y, end = letter + 1;
    }
    if (const auto value = value_after(lower, end)) all.push_back({axis, number_at(lower, *value), at, *value});
  }
  return all;
}

/// The line of the text around a key, up to the next of the signs that end a statement.
std::string statement_at(const Text& text, const Found& found) {
  const std::size_t end = text.raw.find_first_of("|;\r\n<", found.value);
  return quoted(text.raw.substr(found.begin, end == std::string_view::npos ? end : end - found.begin));
}

/// In micrometres: a unit may follow. Metres and inches are none of a pixel, but words that begin a sentence.
double micrometres_at(const Text& text, const Number& number) {
  std::size_t begin = number.end;
  while (begin < text.raw.size() && (text.raw[begin] == ' ' || text.raw[begin] == '\t')) ++begin;
  std::size_t end = begin;
  const auto is_of_unit = [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  while (end < text.raw.size() && end - begin < 16 && is_of_unit(text.raw[end])) ++end;
  const auto unit = micrometres_of(text.raw.substr(begin, end - begin));
  return number.value * (unit && *unit <= 1e4 ? *unit : 1);
}

/// The unit that a key of its own says, as in PhysicalSizeXUnit.
double unit_beside(const Text& text, std::string_view key) {
  for (const char* ending : {"unit", "xunit"})
    for (const Found& found : find_key(text, std::string(key) + ending, false)) {
      const std::size_t end = text.raw.find_first_of("\"',;|<>\r\n}", found.value);
      if (const auto unit = micrometres_of(text.raw.substr(found.value, end - found.value))) return *unit;
    }
  return 1;
}

struct Extent {
  std::int64_t width, height;
};

/// "WIDTHxHEIGHT" at `at`.
std::optional<Extent> extent_at(const std::string& text, std::size_t at) {
  const auto whole = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && end - begin < 10 && is_digit(text[end])) ++end;
    return std::pair(parse_number<std::int64_t>(std::string_view(text).substr(begin, end - begin)), end);
  };
  const auto [width, cross] = whole(at);
  if (!width || *width < 1 || cross >= text.size() || text[cross] != 'x') return std::nullopt;
  const auto [height, end] = whole(cross + 1);
  if (!height || *height < 1) return std::nullopt;
  return Extent{*width, *height};
}

/// Pixels of the picture that a description is about, to a pixel of this one. Aperio's and Motic's begin
/// "46920x33014 [1000,2000 1400x1400] (256x256) -> 700x700 JPEG": of that part of that scan, in so many pixels. Of a
/// picture of another shape nothing is known: it may be a part at full resolution.
double reduction_of(const std::string& text, std::int64_t width, std::int64_t height) {
  std::optional<Extent> source;
  for (std::size_t at = 0; at < std::min<std::size_t>(text.size(), 400) && !source; ++at)
    if (is_digit(text[at]) && (at == 0 || text[at - 1] == '\n' || text[at - 1] == ' ')) source = extent_at(text, at);
  const std::size_t bracket = text.find('[');
  if (source && bracket != std::string::npos) {
    const std::size_t blank = text.find(' ', bracket), close = text.find(']', bracket);
    if (blank < close && close != std::string::npos)
      if (const auto part = extent_at(text, blank + 1)) source = part;
  }
  if (!source || width < 1 || height < 1) return 1;
  const double across = static_cast<double>(source->width) / static_cast<double>(width),
               down = static_cast<double>(source->height) / static_cast<double>(height);
  const double rounding = across / static_cast<double>(width) + down / static_cast<double>(height);  // a pixel a side
  return std::abs(across - down) <= rounding ? across : 1;
}

/// The value of `key` in a line of its own, as ImageJ writes them.
std::optional<std::string_view> line_of(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == '=')
      return line.substr(key.size() + 1);
    at = end + 1;
  }
  return std::nullopt;
}

bool says_nothing(std::string_view unit) {
  const std::string word = lower_case(std::string(unit));
  return word.find_first_not_of(" \t\"") == std::string::npos || word.starts_with("pixel") || word == "null";
}

/// ImageJ takes the tags in its own unit, which TIFF does not have.
void read_imagej(const PixelsAUnit& tags, std::string_view description, Statements& found) {
  const auto unit = line_of(description, "unit");
  if (!description.starts_with("ImageJ=") || !unit || says_nothing(*unit)) return;
  const auto across = micrometres_of(*unit), down = micrometres_of(line_of(description, "yunit").value_or(*unit));
  if (!across || !down)
    found.unread.push_back(fmt::format("ImageJ's unit {} is no known length", quoted(*unit)));
  else if (!(tags.x > 0))
    found.unread.push_back(fmt::format("ImageJ's unit {} has no number of pixels beside it", quoted(*unit)));
  else
    found.sizes.push_back(
        {*across / tags.x, *down / (tags.y > 0 ? tags.y : tags.x), fmt::format("ImageJ's unit {}", quoted(*unit))});
}

void read_sizes(const Text& text, double reduction, Statements& found) {
  for (const std::string_view key : kSizeKeys) {
    PixelSize size;
    double with_unit = 0;
    for (const Found& each : find_key(text, key, true)) {
      if (!each.number || !(each.number->value > 0)) {
        found.unread.push_back(fmt::format("its description says {}", statement_at(text, each)));
        continue;
      }
      if (with_unit == 0) with_unit = unit_beside(text, key);
      const double value = micrometres_at(text, *each.number) * with_unit * reduction;
      if (each.axis != Axis::y && size.x == 0) size.x = value;
      if (each.axis != Axis::x && size.y == 0) size.y = value;
      if (size.by.empty()) size.by = statement_at(text, each) + " in its description";
    }
    if (size.by.empty()) continue;
    if (size.x == 0) size.x = size.y;
    if (size.y == 0) size.y = size.x;
    found.sizes.push_back(std::move(size));
  }
}

/// libvips keeps pixels a millimetre in properties of its own; 1 stands for one that is not known.
void read_vips(const Text& text, Statements& found) {
  if (text.lower.find("vips.ecs.soton.ac.uk") == std::string::npos) return;
  const auto pixels = [&](std::string_view key) {
    for (const Found& each : find_key(text, key, false))
      if (each.number && each.number->value > 0) return each.number->value;
    return 1.0;
  };
  const double across = pixels("xres"), down = pixels("yres");
  if (across != 1 && down != 1)
    found.sizes.push_back({1e3 / across, 1e3 / down, fmt::format("xres {:.8g} of libvips in its description", across)});
}

void read_power(const Text& text, double reduction, Statements& found) {
  for (const std::string_view key : kPowerKeys)
    for (const Found& each : find_key(text, key, false)) {
      const double power = each.number ? each.number->value / reduction : 0;
      if (power >= 1 && power <= 150) {
        if (found.power == 0) found.power = power;
      } else {
        found.unread.push_back(fmt::format("its description says {}", statement_at(text, each)));
      }
    }
}

void read_vague(const Text& text, Statements& found) {
  for (const std::string_view key : kVagueKeys)
    for (const Found& each : find_key(text, key, true)) {
      found.unread.push_back(
          fmt::format("its description says {}, which may be of the camera", statement_at(text, each)));
      return;
    }
}

void read_tags(const PixelsAUnit& tags, bool of_imagej, Statements& found) {
  if (!(tags.x > 0)) return;
  const double down = tags.y > 0 ? tags.y : tags.x;
  if (tags.micrometres > 0)
    found.sizes.push_back({tags.micrometres / tags.x, tags.micrometres / down,
                           fmt::format("{:.8g} pixels {} in its tags", tags.x, tags.name)});
  else if (tags.x != 1 && !of_imagej)
    found.unread.push_back(fmt::format("its tags say {:.6g} pixels of a length without a unit", tags.x));
}

bool is_square(double x, double y) { return std::max(x, y) <= kMostOblong * std::min(x, y); }

std::string numbers_of(const PixelSize& size) {
  return is_square(size.x, size.y) ? fmt::format("{:.4g} um/px", (size.x + size.y) / 2)
                                   : fmt::format("{:.4g} x {:.4g} um", size.x, size.y);
}

}  // namespace

Statements read_statements(const PixelsAUnit& tags, std::string_view description, std::int64_t width,
                           std::int64_t height) {
  description = without_byte_order_mark(description.substr(0, kMostRead));
  const Text text{description, lower_case(std::string(description))};
  const double reduction = reduction_of(text.lower, width, height);
  Statements found;
  read_imagej(tags, description, found);
  read_sizes(text, reduction, found);
  read_vips(text, found);
  read_tags(tags, description.starts_with("ImageJ="), found);
  read_power(text, reduction, found);
  if (found.sizes.empty()) read_vague(text, found);
  return found;
}

void take_statements(const Statements& found, SlideInfo& info) {
  std::vector<std::string> doubts;
  const PixelSize* taken = nullptr;
  for (const PixelSize& size : found.sizes) {
    if (plausible_mpp(size.x) == 0 || plausible_mpp(size.y) == 0)
      doubts.push_back(fmt::format("{} is {}, which no microscope has", size.by, numbers_of(size)));
    else if (taken == nullptr)
      taken = &size;
    else if (!is_square(size.x, taken->x) || !is_square(size.y, taken->y))
      doubts.push_back(fmt::format("{} is {}, and {} is taken", size.by, numbers_of(size), taken->by));
  }
  // Beside one that was taken, a printer's resolution and a word without a number are no news.
  if (taken != nullptr) {
    std::erase_if(doubts, [](const std::string& doubt) { return doubt.ends_with("has"); });
    info.mpp = is_square(taken->x, taken->y) ? (taken->x + taken->y) / 2 : 0;
    if (info.mpp == 0) info.oblong = {taken->x, taken->y};
    info.mpp_by = taken->by;
  } else {
    doubts.insert(doubts.end(), found.unread.begin(), found.unread.end());
    if (doubts.size() > 3) doubts.resize(3);
  }
  info.power = found.power;
  info.mpp_doubt.clear();
  for (const std::string& doubt : doubts) info.mpp_doubt += (info.mpp_doubt.empty() ? "" : "; ") + doubt;
}

}  // namespace starpath::io
