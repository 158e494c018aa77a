// TIFF images and pyramids that OpenSlide has no vendor for, read by tiles or strips.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>
#include <vector>

#include "base/pure/parse_number.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/ome_xml.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/stated_scale.hpp"
#include "io/slides/tiff_file.hpp"
#include "io/slides/tiff_pages.hpp"
#include "io/slides/tiff_pyramid.hpp"
#include "io/slides/white_value.hpp"

namespace starpath::io {
namespace {

// The resolution tags of the current page.
PixelsAUnit resolution_tags(TIFF* tiff) {
  std::uint16_t unit = RESUNIT_INCH;
  float x = 0, y = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
  TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x);
  TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y);
  if (unit == RESUNIT_CENTIMETER) return pixels_a_centimetre(x, y);
  return unit == RESUNIT_INCH ? pixels_an_inch(x, y) : PixelsAUnit{x, y};
}

// OME-XML that states a length decides alone.
Statements statements_of(const PixelsAUnit& tags, const std::string& description, const TiffLevel& page,
                         const std::optional<OmeImage>& ome) {
  if (!ome) return read_statements(tags, description, page.width, page.height);
  if (!ome->pixel) return read_statements(tags, "", page.width, page.height);
  return {{{ome->pixel->width, ome->pixel->height, "PhysicalSize in its OME-XML"}}};
}

// Images that ImageJ says it has written. Of a stack of more than 4 GB only the first has a directory.
int imagej_images(std::string_view description) {
  constexpr std::string_view key = "\nimages=";
  const std::size_t at = description.find(key);
  if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return 1;
  const std::string_view value = description.substr(at + key.size());
  return parse_number<int>(value.substr(0, value.find_first_of("\r\n"))).value_or(1);
}

// Bits that white fills, as the file says; 0 where it does not. MaxSampleValue and ImageJ's range are values that
// occur.
int stated_bits(TIFF* tiff, std::string_view description, int ome_bits) {
  std::uint16_t largest = 0;
  if (TIFFGetField(tiff, TIFFTAG_MAXSAMPLEVALUE, &largest) == 1 && largest > 0) return std::bit_width(largest);
  if (ome_bits > 0) return ome_bits;
  constexpr std::string_view key = "\nmax=";
  const std::size_t at = description.find(key);
  if (!description.starts_with("ImageJ=") || at == std::string_view::npos) return 0;
  const std::string_view value = description.substr(at + key.size());
  const double most = parse_number<double>(value.substr(0, value.find_first_of("\r\n"))).value_or(0);
  return most >= 1 && most <= 0xffff ? std::bit_width(static_cast<std::uint32_t>(most)) : 0;
}

// The largest of the 16-bit values in up to 64 blocks, spread evenly over the page.
std::uint16_t largest_value(TiffFile& file, const TiffLevel& page) {
  constexpr std::uint32_t most = 8;
  const std::uint32_t columns = page.columns(), rows = (page.height - 1) / page.block_height + 1;
  std::uint16_t largest = 0;
  for (std::uint32_t j = 0; j < std::min(rows, most); ++j)
    for (std::uint32_t i = 0; i < std::min(columns, most); ++i) {
      const auto at = [](std::uint32_t k, std::uint32_t of) { return of <= most ? k : k * (of - 1) / (most - 1); };
      largest = std::max(largest, file.largest_value(page, at(i, columns), at(j, rows)).value_or(0));
    }
  return largest;
}

bool is_plain_16_bit(const TiffLevel& page) {
  return page.bits == 16 && (page.photometric == PHOTOMETRIC_RGB || page.photometric == PHOTOMETRIC_MINISBLACK ||
                             page.photometric == PHOTOMETRIC_MINISWHITE);
}

class TiffSlide final : public Slide {
 public:
  TiffSlide(const std::string& path, std::uint8_t ground);
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;
  std::vector<std::string> warnings() const override;

 private:
  SlideInfo info_;
  std::vector<std::string> remarks_;   // made when it was opened
  std::optional<TiffPyramid> pixels_;  // there once it is opened
};

TiffSlide::TiffSlide(const std::string& path, std::uint8_t ground) {
  check_not_cut_off(path);
  auto file = std::make_unique<TiffFile>(path);
  info_.path = path;
  info_.format = "tiff";
  const TiffPages pages = find_pages(path, *file);
  std::vector<TiffLevel> levels = pages.levels;
  for (const auto& [tag, name] : {std::pair{TIFFTAG_SOFTWARE, "tiff.Software"}, {TIFFTAG_MAKE, "tiff.Make"}}) {
    const char* text = nullptr;
    if (TIFFGetField(file->get(), static_cast<std::uint32_t>(tag), &text) == 1 && text) info_.properties[name] = text;
  }
  if (!pages.description.empty()) info_.properties["tiff.ImageDescription"] = pages.description;
  const auto ome = ome_image(path, pages.description, levels[0].width, levels[0].height, levels[0].samples);
  const int ome_bits = ome ? ome->significant_bits : 0;
  const int images = ome ? 1 : std::max(pages.images, imagej_images(pages.description));
  take_statements(statements_of(resolution_tags(file->get()), pages.description, levels[0], ome), info_);
  if (images > 1)
    fail_input(path,
               fmt::format("TIFF holds a stack of {} images of {}x{} pixels, and one is read", images, levels[0].width,
                           levels[0].height),
               "save the wanted image as a file of its own, as with: tiffcp stack.tif,0 image.tif");
  for (const TiffLevel& level : levels)
    info_.levels.push_back(
        {level.width, level.height, static_cast<double>(level.downsample), level.block_width, level.block_height});
  if (!pages.others.empty())
    remarks_.push_back(fmt::format("{}x{} pixels are taken for the slide, as the largest picture; {} {} not read",
                                   levels[0].width, levels[0].height, fmt::join(pages.others, ", "),
                                   pages.others.size() == 1 ? "is" : "are"));
  if (is_plain_16_bit(levels[0])) {
    const DeepWhite white =
        white_of(stated_bits(file->get(), pages.description, ome_bits), largest_value(*file, levels.back()));
    if (!white.remark.empty()) remarks_.push_back(white.remark);
    for (TiffLevel& level : levels) level.white = white.value;
  }
  info_.fingerprint = file_fingerprint(path, info_.width(), info_.height());
  pixels_.emplace(path, std::move(levels), ground);
}

std::vector<std::string> TiffSlide::warnings() const {
  std::vector<std::string> all = remarks_;
  if (const std::string line = pixels_->transparency_warning(); !line.empty()) all.push_back(line);
  return all;
}

void TiffSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  pixels_->read(*this, level, x, y, out);
}

bool recognises(const InputProbe& probe) { return probe.is_tiff(); }

std::unique_ptr<Slide> open(const InputProbe& probe) {
  return std::make_unique<TiffSlide>(probe.input, probe.opening.ground);
}

}  // namespace

const SlideBackend kTiffBackend = {"TIFF", recognises, open};

}  // namespace starpath::io
