// TIFF images and pyramids that OpenSlide has no vendor for, read by tiles or strips.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/pure/parse_number.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/ome_xml.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/tiff_file.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kLargeTile = std::int64_t{1} << 24;  // pixels: 112 MiB while it is decoded
constexpr const char* kConvertHint = "convert it to a tiled 8-bit RGB TIFF";

// Micrometres a pixel of the current page, 0 when it does not say or cannot be meant.
double page_mpp(TIFF* tiff) {
  std::uint16_t unit = RESUNIT_INCH;
  float x = 0, y = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) != 1 || !(x > 0) || unit == RESUNIT_NONE) return 0;
  if (TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) != 1 || !(y > 0)) y = x;
  const double micrometres = unit == RESUNIT_CENTIMETER ? 10000 : 25400;
  return square_mpp(micrometres / static_cast<double>(x), micrometres / static_cast<double>(y));
}

// The same picture, smaller: the sides' ratios agree to within a pixel.
bool is_reduced(const TiffLevel& level, const TiffLevel& base, const TiffLevel& previous) {
  const double across = static_cast<double>(level.width) * base.height,
               down = static_cast<double>(level.height) * base.width;
  return level.width < previous.width && level.height <= previous.height &&
         std::abs(across - down) <= 1.0 * std::max(base.width, base.height);
}

// Whether the current page is another image of a stack, as of a time or of a focal plane. Pages may say that they are
// none of their own.
bool is_of_stack(TIFF* tiff, const TiffLevel& page, const TiffLevel& base) {
  std::uint32_t kind = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
  return (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0 && page.width == base.width &&
         page.height == base.height && page.samples == base.samples;
}

// Images that ImageJ says it has written. Of a stack of more than 4 GB only the first has a directory.
int imagej_images(std::string_view description) {
  constexpr std::string_view key = "\nimages=";
  const std::size_t at = description.find(key);
  if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return 1;
  const std::string_view value = description.substr(at + key.size());
  return parse_number<int>(value.substr(0, value.find_first_of("\r\n"))).value_or(1);
}

struct Directory {
  std::uint64_t offset;
  bool is_page;
};

// Those that may hold smaller levels: the sub-directories of the first page, then the other pages.
std::vector<Directory> other_directories(TIFF* tiff) {
  std::vector<Directory> found;
  std::uint16_t count = 0;
  const std::uint64_t* subs = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_SUBIFD, &count, &subs) == 1 && subs)
    for (std::uint16_t i = 0; i < count; ++i) found.push_back({subs[i], false});
  while (found.size() < 1000 && TIFFReadDirectory(tiff) == 1) found.push_back({TIFFCurrentDirOffset(tiff), true});
  return found;
}

struct Pages {
  std::vector<TiffLevel> levels;
  int images;  // of the first page's kind and size, that included
};

Pages find_pages(const std::string& path, TiffFile& file) {
  TiffLevel base{}, candidate{};
  if (const std::string why = file.describe(base); !why.empty()) fail_input(path, "TIFF " + why, kConvertHint);
  std::vector<TiffLevel> reduced;
  Pages pages{{base}, 1};
  for (const auto& [offset, is_page] : other_directories(file.get())) {
    if (TIFFSetSubDirectory(file.get(), offset) != 1 || !file.describe(candidate).empty()) continue;
    reduced.push_back(candidate);
    if (is_page && is_of_stack(file.get(), candidate, base)) ++pages.images;
  }
  std::stable_sort(reduced.begin(), reduced.end(),
                   [](const TiffLevel& a, const TiffLevel& b) { return a.width > b.width; });
  for (const TiffLevel& level : reduced)
    if (is_reduced(level, base, pages.levels.back())) pages.levels.push_back(level);
  return pages;
}

class TiffSlide final : public Slide {
 public:
  TiffSlide(const std::string& path, std::uint8_t ground);
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;

 private:
  std::shared_ptr<const Block> block(int level, std::uint32_t column, std::uint32_t row) const;
  std::shared_ptr<const Block> decode(int level, std::uint32_t column, std::uint32_t row) const;

  SlideInfo info_;
  std::uint8_t ground_;
  std::vector<TiffLevel> levels_;
  mutable BlockCache cache_;
  mutable std::mutex large_mutex_;  // of strips and of large tiles, one at a time is in decoding
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<TiffFile>> idle_;  // libtiff's handles serve one thread at a time
};

TiffSlide::TiffSlide(const std::string& path, std::uint8_t ground) : ground_(ground) {
  check_not_cut_off(path);
  auto file = std::make_unique<TiffFile>(path);
  info_.path = path;
  info_.format = "tiff";
  info_.mpp = page_mpp(file->get());
  for (const auto& [tag, name] : {std::pair{TIFFTAG_IMAGEDESCRIPTION, "tiff.ImageDescription"},
                                  {TIFFTAG_SOFTWARE, "tiff.Software"},
                                  {TIFFTAG_MAKE, "tiff.Make"}}) {
    const char* text = nullptr;
    if (TIFFGetField(file->get(), static_cast<std::uint32_t>(tag), &text) == 1 && text) info_.properties[name] = text;
  }
  Pages pages = find_pages(path, *file);
  levels_ = pages.levels;
  if (const auto text = info_.properties.find("tiff.ImageDescription"); text != info_.properties.end()) {
    const auto ome = ome_image(path, text->second, levels_[0].width, levels_[0].height, levels_[0].samples);
    if (ome && ome->mpp) info_.mpp = *ome->mpp;
    pages.images = ome ? 1 : std::max(pages.images, imagej_images(text->second));
  }
  if (pages.images > 1)
    fail_input(path,
               fmt::format("TIFF holds a stack of {} images of {}x{} pixels, and one is read", pages.images,
                           levels_[0].width, levels_[0].height),
               "save the wanted image as a file of its own, as with: tiffcp stack.tif,0 image.tif");
  for (const TiffLevel& level : levels_) {
    const double across = static_cast<double>(levels_[0].width) / level.width;
    const double down = static_cast<double>(levels_[0].height) / level.height;
    info_.levels.push_back({level.width, level.height, std::max(1.0, (across + down) / 2)});
  }
  info_.fingerprint = file_fingerprint(path, info_.width(), info_.height());
  idle_.push_back(std::make_unique<TiffFile>(path, ground_));
}

std::shared_ptr<const Block> TiffSlide::decode(int level, std::uint32_t column, std::uint32_t row) const {
  std::unique_ptr<TiffFile> file;
  {
    const std::lock_guard lock(idle_mutex_);
    if (!idle_.empty()) {
      file = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!file) file = std::make_unique<TiffFile>(info_.path, ground_);
  const TiffLevel& page = levels_[static_cast<std::size_t>(level)];
  auto decoded = file->decode(page, column, row);
  if (!decoded)
    fail_read(info_, level, std::int64_t{column} * page.block_width, std::int64_t{row} * page.block_height,
              static_cast<int>(page.block_width), static_cast<int>(page.block_height), file->message());
  const std::lock_guard lock(idle_mutex_);
  idle_.push_back(std::move(file));
  return decoded;
}

std::shared_ptr<const Block> TiffSlide::block(int level, std::uint32_t column, std::uint32_t row) const {
  const TiffLevel& page = levels_[static_cast<std::size_t>(level)];
  const std::int64_t key = (std::int64_t{level} << 52) + std::int64_t{row} * page.columns() + column;
  if (auto found = cache_.find(key)) return found;
  std::unique_lock<std::mutex> one_at_a_time;
  if (!page.tiled || std::int64_t{page.block_width} * page.block_height > kLargeTile) {
    one_at_a_time = std::unique_lock(large_mutex_);
    if (auto found = cache_.find(key)) return found;
  }
  auto decoded = decode(level, column, row);
  cache_.put(key, decoded);
  return decoded;
}

void TiffSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info_, level);
  const TiffLevel& page = levels_[static_cast<std::size_t>(level)];
  const PixelBox part = shown_part(page.width, page.height, x, y, out);
  if (part.empty()) return;
  for (std::int64_t row = part.top / page.block_height; row * page.block_height < part.bottom; ++row) {
    for (std::int64_t column = part.left / page.block_width; column * page.block_width < part.right; ++column) {
      const auto piece = block(level, static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row));
      copy_overlap(piece->view(), column * page.block_width, row * page.block_height, out, x, y);
    }
  }
}

bool recognises(const InputProbe& probe) { return probe.is_tiff(); }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return std::make_unique<TiffSlide>(probe.input, probe.opening.ground);
}

}  // namespace

const SlideBackend kTiffBackend = {"TIFF", recognises, open};

}  // namespace starpath::io
