// Numbers in this machine's order, texts behind their lengths.
#include "io/slides/reader_messages.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>

#include "base/error.hpp"

namespace starpath::io {
namespace {

constexpr std::uint64_t kMostSide = std::uint64_t{1} << 40;  // sums and products with a downsample stay in 64 bits
constexpr double kMostDownsample = 1 << 20;
constexpr std::uint64_t kMostLevels = 256;
constexpr std::uint64_t kMostTexts = 1 << 16;       // properties or warnings
constexpr std::uint64_t kMostFiles = 1 << 20;       // of a DICOM series, or series
constexpr std::size_t kMostOfProperty = 64 * 1024;  // Philips keeps pictures in a description

[[noreturn]] void refuse(const char* what) {
  throw Error(ErrorKind::input, std::string("the process that decodes it says ") + what);
}

class Packer {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void put(Number number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    Number value;
    const std::string_view bytes = next(sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(next(number<std::uint64_t>())); }
  /// From 0 to `most`.
  std::uint64_t count(std::uint64_t most) {
    const auto value = number<std::uint64_t>();
    if (value > most) refuse("that it has more parts than are possible");
    return value;
  }
  std::int64_t side(std::uint64_t least) {
    const std::uint64_t value = count(kMostSide);
    if (value < least) refuse("that it has no pixels");
    return static_cast<std::int64_t>(value);
  }
  /// A number from 0 to `most`, and no other.
  double real(double least, double most) {
    const auto value = number<double>();
    if (!(value >= least && value <= most)) refuse("a number that is not possible");
    return value;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > rest_.size()) refuse("less than it announces");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
};

using Properties = std::map<std::string, std::string>;

/// Those that are short, as long as there is room.
std::vector<const Properties::value_type*> those_sent(const Properties& properties) {
  std::vector<const Properties::value_type*> sent;
  std::size_t room = kReaderMemory / 2;
  for (const auto& property : properties) {
    const std::size_t bytes = property.first.size() + property.second.size() + 2 * sizeof(std::uint64_t);
    if (bytes > std::min(kMostOfProperty, room)) continue;
    room -= bytes;
    sent.push_back(&property);
  }
  return sent;
}

constexpr double kMostMicrometres = 1e9;

std::string checked_size(std::string bytes) {
  if (bytes.size() > kReaderMemory) refuse("more than there is room for");
  return bytes;
}

void put_names(Packer& to, const std::vector<std::string>& files) {
  to.put(std::uint64_t{files.size()});
  for (const std::string& file : files) to.put(std::filesystem::path(file).filename().string());
}

/// A file in the folder, and not elsewhere.
std::string take_name(Unpacker& from, const std::filesystem::path& folder) {
  const std::string name = from.text();
  if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string_view("/\0", 2)) != name.npos)
    refuse("that a file lies elsewhere");
  return (folder / name).string();
}

std::vector<std::string> take_names(Unpacker& from, const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (std::uint64_t left = from.count(kMostFiles); left > 0; --left) names.push_back(take_name(from, folder));
  return names;
}

void put_place(Packer& to, const std::optional<PlaceOnCanvas>& place) {
  to.put(static_cast<std::uint64_t>(place.has_value()));
  if (!place) return;
  for (const std::int64_t value : {place->x, place->y, place->width, place->height}) to.put(value);
}

std::optional<PlaceOnCanvas> take_place(Unpacker& from) {
  if (from.count(1) == 0) return {};
  PlaceOnCanvas place;
  for (std::int64_t* value : {&place.x, &place.y}) {
    *value = from.number<std::int64_t>();
    if (std::cmp_greater(*value, kMostSide) || std::cmp_less(*value, -static_cast<std::int64_t>(kMostSide)))
      refuse("that it lies at an impossible place");
  }
  place.width = from.side(1);
  place.height = from.side(1);
  return place;
}

}  // namespace

std::string packed(const SlideRecord& record) {
  const SlideInfo& info = record.info;
  Packer to;
  for (const std::string& text : {info.format, info.mpp_by, info.mpp_doubt, info.fingerprint}) to.put(text);
  to.put(info.mpp);
  to.put(info.power);
  to.put(info.oblong ? info.oblong->width : 0.0);
  to.put(info.oblong ? info.oblong->height : 0.0);
  put_place(to, info.place);
  to.put(std::uint64_t{info.levels.size()});
  for (const SlideLevel& level : info.levels) {
    for (const std::int64_t side : {level.width, level.height, level.block_width, level.block_height}) to.put(side);
    to.put(level.downsample);
  }
  to.put(std::uint64_t{record.warnings.size()});
  for (const std::string& line : record.warnings) to.put(line);
  const auto properties = those_sent(info.properties);
  to.put(std::uint64_t{properties.size()});
  for (const auto* property : properties) {
    to.put(property->first);
    to.put(property->second);
  }
  return checked_size(to.take());
}

SlideRecord unpacked(std::string_view bytes) {
  Unpacker from(bytes);
  SlideRecord record;
  SlideInfo& info = record.info;
  for (std::string* text : {&info.format, &info.mpp_by, &info.mpp_doubt, &info.fingerprint}) *text = from.text();
  info.mpp = from.real(0, kMostMicrometres);
  info.power = from.real(0, kMostMicrometres);
  const double wide = from.real(0, kMostMicrometres), tall = from.real(0, kMostMicrometres);
  if (wide > 0 && tall > 0) info.oblong = PixelShape{wide, tall};
  info.place = take_place(from);
  for (std::uint64_t left = from.count(kMostLevels); left > 0; --left) {
    SlideLevel level{};
    level.width = from.side(1);
    level.height = from.side(1);
    level.block_width = from.side(0);
    level.block_height = from.side(0);
    level.downsample = from.real(1, kMostDownsample);
    info.levels.push_back(level);
  }
  if (info.levels.empty()) refuse("that it has no pixels");
  for (std::uint64_t left = from.count(kMostTexts); left > 0; --left) record.warnings.push_back(from.text());
  for (std::uint64_t left = from.count(kMostTexts); left > 0; --left) {
    std::string name = from.text();
    info.properties[std::move(name)] = from.text();
  }
  if (!from.at_end()) refuse("more than it announces");
  return record;
}

std::string packed(const std::vector<DicomSeries>& series) {
  Packer to;
  to.put(std::uint64_t{series.size()});
  for (const DicomSeries& one : series) {
    to.put(one.uid);
    put_names(to, one.tissue);
    put_names(to, one.beside);
    to.put(std::filesystem::path(one.largest).filename().string());
  }
  return checked_size(to.take());
}

std::vector<DicomSeries> unpacked_series(std::string_view bytes, const std::filesystem::path& folder) {
  Unpacker from(bytes);
  std::vector<DicomSeries> series;
  for (std::uint64_t left = from.count(kMostFiles); left > 0; --left) {
    DicomSeries one;
    one.uid = from.text();
    one.tissue = take_names(from, folder);
    one.beside = take_names(from, folder);
    one.largest = take_name(from, folder);
    series.push_back(std::move(one));
  }
  if (!from.at_end()) refuse("more than it announces");
  return series;
}

}  // namespace starpath::io
