// Checks of maps, and their pixels on the working grid.
#include "pipelines/segmentation/instance_maps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/error.hpp"
#include "codelets/kernels/distance_scores.hpp"
#include "codelets/kernels/features.hpp"
#include "io/slides/resample.hpp"
#include "pipelines/segmentation/ownership.hpp"

namespace starpath {
namespace {

/// Numbers of a band of a map that are in memory at once.
constexpr std::int64_t kBandNumbers = std::int64_t{1} << 21;
constexpr double kMostLabel = 9007199254740992;  // 2^53

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, what));
}

std::string size_text(const io::MapSize& size) { return fmt::format("{}x{}", size.width, size.height); }

/// A level's downsample where `size` is a level's: sizes are rounded down, so that 4.0002 means 4.
double ratio_of(std::int64_t slide, std::int64_t map) {
  const double ratio = static_cast<double>(slide) / static_cast<double>(map), whole = std::round(ratio);
  return std::abs(ratio / whole - 1) * static_cast<double>(map) < 1 ? whole : ratio;
}

const char* name_of(MapKind kind) {
  constexpr std::array names = {"labels", "probability", "hover", "stardist"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace

int longest_instance(std::int64_t halo) {
  constexpr std::int64_t apart = kFeatureReach + kCandidateMargin + 1;
  return static_cast<int>(std::max<std::int64_t>(1, (halo - apart) / 2));
}

MapScale scale_of_map(const std::string& path, const io::MapSize& size, double mpp, bool may_be_smaller,
                      double slide_mpp, const io::WorkingSlide& grid, int step) {
  const io::SlideInfo& slide = grid.slide().info();
  const auto points_of = [step](const io::MapSize& image) {
    return io::MapSize{(image.width + step - 1) / step, (image.height + step - 1) / step};
  };
  const auto of_level0 = [&](double level0) { return MapScale{level0, grid.scale() / level0, size}; };
  std::vector<std::string> known;
  const auto add = [&](const io::MapSize& fits, double ratio) {
    const std::string text = slide_mpp > 0
                                 ? fmt::format("{} ({:.4g} um/px)", size_text(points_of(fits)), slide_mpp * ratio)
                                 : size_text(points_of(fits));
    if (std::ranges::find(known, text) == known.end()) known.push_back(text);
  };
  if (mpp > 0) {
    if (!(slide_mpp > 0)) refuse(path, "--map-mpp needs the resolution of the slide; say it with --mpp");
    const double level0 = step * mpp / slide_mpp;  // to a point
    const io::MapSize whole{std::max<std::int64_t>(1, std::llround(static_cast<double>(slide.width()) / level0)),
                            std::max<std::int64_t>(1, std::llround(static_cast<double>(slide.height()) / level0))};
    const double across = ratio_of(slide.width(), size.width), down = ratio_of(slide.height(), size.height);
    const auto fits = [](double side, double of, double apart) { return std::abs(side - of) <= apart; };
    const auto real = [](std::int64_t pixels) { return static_cast<double>(pixels); };
    const bool is_whole =
        fits(real(size.width), real(whole.width), 2) && fits(real(size.height), real(whole.height), 2);
    // A resolution may be rounded; both sides tell a map that is cut from one of another resolution.
    const bool is_even = fits(real(size.width) * down, real(slide.width()), 2 * down) &&
                         fits(real(size.height) * across, real(slide.height()), 2 * across);
    if (is_even && (is_whole || (!may_be_smaller && fits((across + down) / 2, level0, 0.001 * level0))))
      return of_level0((across + down) / 2 / step);
    if (may_be_smaller && size.width <= whole.width + 2 && size.height <= whole.height + 2) {
      MapScale scale = of_level0(level0 / step);
      scale.size = whole;
      return scale;
    }
    refuse(path,
           fmt::format("the maps have {} pixels of {} um, and the slide {}x{} of {:.4g} um, which is {} of {} um; give "
                       "maps of the whole slide, or their right --map-mpp",
                       size_text(size), step * mpp, slide.width(), slide.height(), slide_mpp, size_text(whole),
                       step * mpp));
  }
  if (size == points_of({grid.width(), grid.height()})) return {grid.scale(), 1, size};
  for (const io::SlideLevel& level : slide.levels) {
    const double across = ratio_of(slide.width(), level.width), down = ratio_of(slide.height(), level.height);
    if (size == points_of({level.width, level.height})) return of_level0((across + down) / 2);
    add({level.width, level.height}, across);
  }
  add({grid.width(), grid.height()}, grid.scale());
  refuse(path,
         fmt::format("the maps have {} pixels, and the slide {}{}; give maps of one of these sizes, or say their "
                     "resolution with --map-mpp",
                     size_text(size), step > 1 ? fmt::format("by --grid {} ", step) : "", fmt::join(known, ", ")));
}

InstanceMaps::InstanceMaps(const MapsAsked& asked, double slide_mpp, const io::WorkingSlide& grid)
    : kind_(asked.kind),
      width_(grid.width()),
      height_(grid.height()),
      numbers_of_pieces_(asked.numbers_of_pieces),
      may_lack_pieces_(asked.may_lack_pieces),
      stars_(asked.stars) {
  for (const std::string& path : asked.paths) {
    images_.push_back(std::make_unique<io::MapImage>(path));
    const io::MapImage& image = *images_.back();
    if (image.extent() != images_[0]->extent())
      refuse(path, fmt::format("has {} pixels, and {} has {}; give maps of one size", size_text(image.extent()),
                               images_[0]->path(), size_text(images_[0]->extent())));
    const double unit = io::is_whole(image.type()) && image.type() != io::NumberType::boolean ? 1 : 255;
    for (int number = 0; number < image.channels(); ++number) {
      const bool is_distance = (kind_ == MapKind::hover || kind_ == MapKind::stardist) && !channels_.empty();
      channels_.push_back({&image, number, unit, is_distance});
    }
  }
  check_kind();
  const io::MapImage& first = *images_[0];
  scale_ = scale_of_map(first.path(), first.extent(), asked.mpp, first.is_folder() && may_lack_pieces_, slide_mpp, grid,
                        std::max(1, stars_.grid));
  check_whole();
}

void InstanceMaps::check_kind() const {
  struct Needs {
    std::size_t least, most;  // channels
    const char* text;
  };
  const auto needs = [this]() -> Needs {
    switch (kind_) {
      case MapKind::labels:
        return {1, 1, "--kind labels takes 1, of the numbers of instances"};
      case MapKind::probability:
        return {1, 2, "--kind probability takes 1 or 2, of nuclei and of their insides"};
      case MapKind::hover:
        return {3, 3, "--kind hover takes 3, of nuclei and of the horizontal and vertical distances"};
      case MapKind::stardist:
        return {1 + kLeastStarRays, 1 + kMostStarRays,
                "--kind stardist takes 4 to 256, of nuclei and of the distances to their outlines"};
    }
    return {};
  }();
  if (channels_.size() < needs.least || channels_.size() > needs.most)
    refuse(images_[0]->path(), fmt::format("{} channels; {}", channels_.size(), needs.text));
  for (const Channel& channel : channels_) {
    using enum io::NumberType;
    const io::NumberType type = channel.image->type();
    const bool is_byte = type == u8 || type == boolean;
    const auto holds = [&](const char* wanted) {
      refuse(channel.image->path(), fmt::format("holds {}; {}", io::name_of(type), wanted));
    };
    if (kind_ == MapKind::labels && (!io::is_whole(type) || type == boolean))
      holds("numbers of instances are whole numbers, as int32");
    if (channel.is_distance && io::is_whole(type))
      holds(kind_ == MapKind::hover ? "distances are float32 from -1 to 1" : "distances are float32, in pixels");
    if (kind_ != MapKind::labels && io::is_whole(type) && !is_byte)
      holds("probabilities are float32 from 0 to 1, or uint8 from 0 to 255");
  }
  if (numbers_of_pieces_ && kind_ != MapKind::labels)
    throw Error(ErrorKind::usage, "--numbers piece is for --kind labels; leave it out");
  if ((kind_ == MapKind::stardist) != (stars_.grid != 0))
    throw Error(ErrorKind::usage, kind_ == MapKind::stardist
                                      ? "--kind stardist needs --grid: 2 for the model 2D_versatile_he"
                                      : "--grid is for --kind stardist; leave it out");
}

void InstanceMaps::check_whole() const {
  for (const auto& image : images_) {
    const io::MapSize& size = image->extent();
    if (size.width > scale_.size.width + 2 || size.height > scale_.size.height + 2)
      refuse(image->path(), fmt::format("pieces reach to {}, and the slide has {} pixels there", size_text(size),
                                        size_text(scale_.size)));
    const std::int64_t whole = scale_.size.width * scale_.size.height;
    if (may_lack_pieces_ || image->covered() >= whole) continue;
    refuse(
        image->path(),
        fmt::format("{} pieces cover {} of {} pixels ({:.1f} %) of the slide; give the others, or say --allow-missing: "
                    "then there are no nuclei where no piece is",
                    image->pieces(), image->covered(), whole,
                    100 * static_cast<double>(image->covered()) / static_cast<double>(whole)));
  }
}

void InstanceMaps::refuse_value(const Channel& channel, double value, std::int64_t x, std::int64_t y,
                                const std::string& needed) {
  refuse(channel.image->path(),
         fmt::format("holds {} at x={} y={} of channel {}; {}", value, x, y, channel.number, needed));
}

std::uint8_t InstanceMaps::level_of(const Channel& channel, double value, std::int64_t x, std::int64_t y) const {
  constexpr double rounding = 1e-3, most_distance = 2;  // of what adds up to one; of what a network estimates
  const bool fits = channel.is_distance
                        ? std::abs(value) <= most_distance
                        : value * channel.unit >= -rounding * 255 && value * channel.unit <= (1 + rounding) * 255;
  if (!fits)
    refuse_value(channel, value, x, y,
                 channel.is_distance ? std::string("a distance is from -1 to 1")
                                     : fmt::format("a probability is from 0 to {}", 255 / channel.unit));
  const double level = channel.is_distance ? 127 * std::clamp(value, -1.0, 1.0) + 128 : value * channel.unit;
  return static_cast<std::uint8_t>(std::lround(std::clamp(level, 0.0, 255.0)));
}

void InstanceMaps::read_channel(const Channel& channel, const io::MapBox& box, std::uint8_t Rgb::*colour,
                                std::vector<double>& values, View<Rgb> out) const {
  channel.image->read(channel.number, box, values.data(), box.width);
  const double* value = values.data();
  for (int y = 0; y < box.height; ++y)
    for (int x = 0; x < box.width; ++x) out.at(x, y).*colour = level_of(channel, *value++, box.x + x, box.y + y);
}

/// The channels as colours: the first is red, the last blue, and green the one before it.
void InstanceMaps::read_pixels(std::int64_t x, std::int64_t y, View<Rgb> out) const {
  const io::Taps across = io::make_taps(x, out.width, scale_.working, scale_.size.width);
  const std::int64_t most_rows = std::max<std::int64_t>(
      1, std::llround(static_cast<double>(kBandNumbers / across.source_size) / std::max(1.0, scale_.working)));
  std::vector<double> values;
  std::vector<Rgb> source;
  for (std::int64_t top = 0; top < out.height; top += most_rows) {
    const int rows = static_cast<int>(std::min<std::int64_t>(most_rows, out.height - top));
    const io::Taps down = io::make_taps(y + top, rows, scale_.working, scale_.size.height);
    const std::size_t size = static_cast<std::size_t>(across.source_size) * static_cast<std::size_t>(down.source_size);
    values.resize(size);
    source.resize(size);
    const View<Rgb> pixels{source.data(), across.source_size, down.source_size, across.source_size};
    const io::MapBox box{across.source_begin, down.source_begin, across.source_size, down.source_size};
    read_channel(channels_.front(), box, &Rgb::r, values, pixels);
    if (channels_.size() > 2) read_channel(channels_[channels_.size() - 2], box, &Rgb::g, values, pixels);
    read_channel(channels_.back(), box, &Rgb::b, values, pixels);
    io::resample(pixels, across, down, {out.row(static_cast<int>(top)), out.width, rows, out.stride});
  }
}

void InstanceMaps::read_scores(std::int64_t x, std::int64_t y, View<std::uint8_t> nucleus,
                               View<std::uint8_t> core) const {
  // Filters see what lies around the region, and beyond the slide nothing.
  const std::int64_t reach = kind_ == MapKind::hover ? kDistanceReach : 0;
  const std::int64_t left = std::max<std::int64_t>(0, x - reach), top = std::max<std::int64_t>(0, y - reach);
  const auto width = static_cast<int>(std::min(x + nucleus.width + reach, width_) - left),
             height = static_cast<int>(std::min(y + nucleus.height + reach, height_) - top);
  const auto size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<Rgb> held(size);
  const View<Rgb> pixels{held.data(), width, height, width};
  read_pixels(left, top, pixels);
  const auto dx = static_cast<int>(x - left), dy = static_cast<int>(y - top);
  if (kind_ == MapKind::probability) {
    for (int j = 0; j < nucleus.height; ++j)
      for (int i = 0; i < nucleus.width; ++i) {
        nucleus.at(i, j) = pixels.at(i, j).r;
        core.at(i, j) = pixels.at(i, j).b;
      }
    return;
  }
  std::vector<std::uint8_t> scores(2 * size);
  const View<std::uint8_t> whole{scores.data(), width, height, width},
      inside{scores.data() + size, width, height, width};
  Scratch scratch;
  cpu::distance_scores(KernelContext{scratch}, pixels, whole, inside);
  for (int j = 0; j < nucleus.height; ++j) {
    std::copy_n(whole.row(j + dy) + dx, nucleus.width, nucleus.row(j));
    std::copy_n(inside.row(j + dy) + dx, nucleus.width, core.row(j));
  }
}

void InstanceMaps::read_numbers(std::int64_t x, std::int64_t y, View<std::int32_t> numbers) const {
  const io::MapImage& image = *images_[0];
  const auto pixel_of = [&](std::int64_t at, std::int64_t size) {
    return std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor((static_cast<double>(at) + 0.5) * scale_.working)), 0, size - 1);
  };
  std::vector<std::int64_t> columns(static_cast<std::size_t>(numbers.width));
  for (int i = 0; i < numbers.width; ++i) columns[static_cast<std::size_t>(i)] = pixel_of(x + i, scale_.size.width);
  const std::int64_t left = columns.front();
  const auto width = static_cast<int>(columns.back() - left + 1);
  const std::int64_t most_rows = std::max<std::int64_t>(1, kBandNumbers / width);

  struct Key {
    std::size_t piece;
    std::int64_t number;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::int64_t>()(key.number) ^ (key.piece * 0x9e3779b97f4a7c15u);
    }
  };
  std::unordered_map<Key, std::int32_t, Hash> found;
  std::vector<double> values;
  std::vector<std::size_t> pieces;
  for (int first = 0; first < numbers.height;) {
    const std::int64_t top = pixel_of(y + first, scale_.size.height);
    int end = first;
    while (end < numbers.height && pixel_of(y + end, scale_.size.height) < top + most_rows) ++end;
    const io::MapBox box{left, top, width, static_cast<int>(pixel_of(y + end - 1, scale_.size.height) - top + 1)};
    const std::size_t size = static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height);
    values.resize(size);
    image.read(0, box, values.data(), box.width);
    if (numbers_of_pieces_) {
      pieces.assign(size, 0);
      for (const io::MapPart& part : image.parts_of(box))
        for (int j = 0; j < part.box.height; ++j)
          std::fill_n(pieces.begin() + (part.box.y - top + j) * width + (part.box.x - left), part.box.width,
                      part.piece);
    }
    for (int j = first; j < end; ++j) {
      const std::int64_t row = pixel_of(y + j, scale_.size.height);
      std::int32_t* const to = numbers.row(j);
      for (int i = 0; i < numbers.width; ++i) {
        const auto at = static_cast<std::size_t>((row - top) * width + columns[static_cast<std::size_t>(i)] - left);
        const double value = values[at];
        if (!(value >= 0 && value < kMostLabel))
          refuse(image.path(), fmt::format("holds {} at x={} y={}; the numbers of instances are from 0 (none) to 2^53",
                                           value, columns[static_cast<std::size_t>(i)], row));
        if (value == 0) {
          to[i] = 0;
        } else if (i > 0 && at > 0 && values[at - 1] == value && to[i - 1] != 0 &&
                   (!numbers_of_pieces_ || pieces[at - 1] == pieces[at]) &&
                   columns[static_cast<std::size_t>(i)] - columns[static_cast<std::size_t>(i - 1)] == 1) {
          to[i] = to[i - 1];
        } else {
          const Key key{numbers_of_pieces_ ? pieces[at] : 0, static_cast<std::int64_t>(value)};
          to[i] = found.emplace(key, static_cast<std::int32_t>(found.size() + 1)).first->second;
        }
      }
    }
    first = end;
  }
}

std::int32_t InstanceMaps::read_labels(std::int64_t x, std::int64_t y, const InstanceLimits& limits,
                                       View<std::int32_t> labels) const {
  std::vector<std::int32_t> pixels(static_cast<std::size_t>(labels.pixels()));
  const View<std::int32_t> numbers{pixels.data(), labels.width, labels.height, labels.width};
  if (kind_ == MapKind::stardist)
    read_stars(x, y, limits.longest, numbers);
  else
    read_numbers(x, y, numbers);
  return label_instances(numbers, limits, labels);
}

nlohmann::json InstanceMaps::identity() const {
  nlohmann::json files = nlohmann::json::array();
  for (const auto& image : images_) files.push_back(image->fingerprint());
  nlohmann::json identity = {{"kind", name_of(kind_)},
                             {"files", files},
                             {"scale", scale_.level0},
                             {"numbers", numbers_of_pieces_ ? "piece" : "slide"},
                             {"allow_missing", may_lack_pieces_}};
  if (kind_ == MapKind::stardist)
    identity["stars"] = {{"grid", stars_.grid}, {"probability", stars_.probability}, {"overlap", stars_.overlap}};
  return identity;
}

std::string InstanceMaps::description() const {
  const io::MapImage& first = *images_[0];
  return fmt::format("{}: {} of {} pixels of {}, {:.4g} level-0 pixels each", first.path(),
                     kind_ == MapKind::labels     ? "numbers of instances"
                     : kind_ == MapKind::hover    ? "maps of HoVer-Net"
                     : kind_ == MapKind::stardist ? "points of StarDist"
                                                  : "probabilities",
                     size_text(scale_.size), io::name_of(first.type()), scale_.level0);
}

std::vector<std::string> InstanceMaps::warnings() const {
  std::vector<std::string> warnings;
  for (const auto& image : images_) {
    const auto [missing, all] = image->chunks();
    if (missing > 0 && !may_lack_pieces_)
      warnings.push_back(fmt::format(
          "{}: {} of {} chunks are not there, and count as its fill value; say --allow-missing if that is meant",
          image->path(), missing, all));
  }
  return warnings;
}

}  // namespace starpath
