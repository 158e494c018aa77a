// libtiff behind a small interface: pages, blocks, messages.
#include "io/slides/tiff_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/trouble.hpp"
#include "io/slides/white_value.hpp"

namespace starpath::io {
namespace {

// A strip or tile is decoded whole: this many pixels are 1 GiB of RGBA.
constexpr std::uint64_t kMaxBlockPixels = std::uint64_t{1} << 28;

// Pixels of a strip or tile that is looked at before it is wanted.
constexpr std::uint64_t kMostLookedAt = std::uint64_t{1} << 24;

// No compression that is read makes more of a byte: LZW and deflate come to about 1,000, JPEG to some hundred.
constexpr std::uint64_t kMostFromAByte = 4096;

void keep_first(std::string& message, const char* format, va_list arguments) {
  if (!message.empty()) return;
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  message = text.data();
}

int on_error(TIFF*, void* message, const char*, const char* format, va_list arguments) {
  keep_first(*static_cast<std::string*>(message), format, arguments);
  return 1;
}

// libjpeg only warns of damaged data and makes pixels up: that is an error here.
int on_warning(TIFF*, void* message, const char* module, const char* format, va_list arguments) {
  if (module && std::string_view(module) == "JPEGLib")
    keep_first(*static_cast<std::string*>(message), format, arguments);
  return 1;
}

// Whether every tile or strip of the current page lies within the file.
bool is_complete(TIFF* tiff, bool tiled) {
  const std::uint64_t* offsets = nullptr;
  const std::uint64_t* sizes = nullptr;
  if (TIFFGetField(tiff, tiled ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS, &offsets) != 1 || !offsets) return false;
  if (TIFFGetField(tiff, tiled ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS, &sizes) != 1 || !sizes) return false;
  const std::uint32_t count = tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
  const std::uint64_t file_size = TIFFGetSizeProc(tiff)(TIFFClientdata(tiff));
  for (std::uint32_t i = 0; i < count; ++i)
    if (offsets[i] > file_size || sizes[i] > file_size - offsets[i]) return false;
  return true;
}

// Why the page's pixels would not be read as they are meant; empty when they would.
std::string unread_kind(TIFF* tiff) {
  std::uint16_t compression = COMPRESSION_NONE, photometric = PHOTOMETRIC_RGB, samples = 1;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  if (TIFFIsCODECConfigured(compression) == 0) {
    return fmt::format("is compressed by a method that is not read ({})", compression_name(compression));
  }
  // libtiff would take the first channels and drop the others.
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  const bool one_colour = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  if (samples > (one_colour ? 2 : photometric == PHOTOMETRIC_SEPARATED ? 5 : 4))
    return fmt::format("has {} channels, and only gray, RGB and their transparency are read", samples);
  return "";
}

/// Whether libtiff hands out the page's tiles as red, green and blue in turn. JPEG is turned into these as it is
/// decoded.
bool has_plain_rgb(TIFF* tiff, const TiffLevel& level) {
  std::uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  const bool colours = level.photometric == PHOTOMETRIC_RGB ||
                       (level.photometric == PHOTOMETRIC_YCBCR && compression == COMPRESSION_JPEG);
  return colours && level.tiled && level.bits == 8 && level.samples == 3 && !level.planar;
}

/// What the page declares its values beyond the colours to be. libtiff takes an undeclared fourth one for transparency.
TiffAlpha alpha_of(TIFF* tiff) {
  std::uint16_t count = 0;
  const std::uint16_t* kinds = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  if (count < 1 || kinds == nullptr) return TiffAlpha::none;
  return kinds[0] == EXTRASAMPLE_ASSOCALPHA   ? TiffAlpha::associated
         : kinds[0] == EXTRASAMPLE_UNASSALPHA ? TiffAlpha::unassociated
                                              : TiffAlpha::none;
}

}  // namespace

TiffFile::TiffFile(const std::string& path, std::uint8_t ground) : path_(path), ground_(ground) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, &message_);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, &message_);
  // Not mapped into memory ("m"): pages of a large slide would count as this process's, and a file that is cut off
  // while it is read would end the process.
  tiff_.reset(TIFFOpenExt(path.c_str(), "rm", options));
  TIFFOpenOptionsFree(options);
  if (!tiff_) fail_input(path, "TIFF cannot be opened: " + message_, std::string(advice_on(message_)));
}

std::string TiffFile::describe(TiffLevel& level) {
  TIFF* tiff = tiff_.get();
  message_.clear();
  level = {};
  level.offset = TIFFCurrentDirOffset(tiff);
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &level.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &level.height);
  if (level.width < 1 || level.height < 1) return fmt::format("has no pixels ({}x{})", level.width, level.height);
  if (level.width > 0x7fffffff || level.height > 0x7fffffff) return "is too large";
  std::uint16_t planes = PLANARCONFIG_CONTIG;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &level.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &level.bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &level.photometric);
  level.planar = planes == PLANARCONFIG_SEPARATE && level.samples > 1;
  level.alpha = alpha_of(tiff);
  level.tiled = TIFFIsTiled(tiff) != 0;
  if (level.tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &level.block_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &level.block_height);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &level.block_height);
    level.block_width = level.width;
    level.block_height = std::min(level.block_height, level.height);
  }
  if (level.block_width < 1 || level.block_height < 1) return "has tiles or strips without pixels";
  if (std::uint64_t{level.block_width} * level.block_height > kMaxBlockPixels)
    return fmt::format("is stored in pieces of {}x{} pixels, too large to be read piece by piece", level.block_width,
                       level.block_height);
  std::uint16_t orientation = ORIENTATION_TOPLEFT;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
  if (orientation != ORIENTATION_TOPLEFT)
    return fmt::format("is stored rotated or mirrored (orientation {})", orientation);
  if (std::string kind = unread_kind(tiff); !kind.empty()) return kind;
  std::array<char, 1024> why{};
  if (TIFFRGBAImageOK(tiff, why.data()) != 1) return std::string("is of a kind that is not read: ") + why.data();
  level.plain_rgb = has_plain_rgb(tiff, level);
  return "";
}

bool TiffFile::choose(const TiffLevel& level) {
  message_.clear();
  if (current_ != level.offset && TIFFSetSubDirectory(tiff_.get(), level.offset) != 1) return false;
  current_ = level.offset;
  if (level.plain_rgb && level.photometric == PHOTOMETRIC_YCBCR)
    TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  return true;
}

std::shared_ptr<const Block> TiffFile::decode(const TiffLevel& level, std::uint32_t column, std::uint32_t row) {
  left_out_ = false;
  clear_pixels_ = 0;
  if (!choose(level)) return nullptr;
  TIFF* tiff = tiff_.get();
  const std::uint32_t x = column * level.block_width, y = row * level.block_height;
  const std::uint32_t width = std::min(level.block_width, level.width - x);
  const std::uint32_t height = std::min(level.block_height, level.height - y);
  const std::uint32_t piece = level.tiled ? TIFFComputeTile(tiff, x, y, 0, 0) : TIFFComputeStrip(tiff, y, 0);
  const std::uint64_t stored = TIFFGetStrileByteCount(tiff, piece);
  left_out_ = stored == 0;
  if (!left_out_ && std::uint64_t{level.block_width} * level.block_height / kMostFromAByte > stored + 1) {
    message_ = "it claims more pixels than its bytes can hold";
    return nullptr;
  }
  auto block = std::make_shared<Block>(static_cast<int>(width), static_cast<int>(height));
  if (left_out_) {
    fill(block->out(), {ground_, ground_, ground_});
    return block;
  }
  const bool good = level.plain_rgb        ? decode_rgb(level, x, y, *block)
                    : level.white < 0xffff ? decode_values(level, x, y, *block)
                                           : decode_rgba(level, x, y, *block);
  if (good && message_.empty()) return block;
  if (message_.empty()) message_ = "libtiff gives no reason";
  return nullptr;
}

bool TiffFile::decode_rgb(const TiffLevel& level, std::uint32_t x, std::uint32_t y, Block& block) {
  const std::size_t pixels = std::size_t{level.block_width} * level.block_height;
  const bool whole = block.size() == pixels;
  if (!whole) tile_.resize(pixels);
  Rgb* to = whole ? block.out().data : tile_.data();
  const auto bytes = static_cast<tmsize_t>(pixels * sizeof(Rgb));
  if (TIFFReadEncodedTile(tiff_.get(), TIFFComputeTile(tiff_.get(), x, y, 0, 0), to, bytes) != bytes) return false;
  if (!whole)
    copy_overlap({tile_.data(), static_cast<int>(level.block_width), static_cast<int>(level.block_height),
                  static_cast<int>(level.block_width)},
                 0, 0, block.out(), 0, 0);
  return true;
}

bool TiffFile::decode_rgba(const TiffLevel& level, std::uint32_t x, std::uint32_t y, Block& block) {
  TIFF* tiff = tiff_.get();
  raster_.resize(std::size_t{level.block_width} * level.block_height);
  const int good = level.tiled ? TIFFReadRGBATileExt(tiff, x, y, raster_.data(), 1)
                               : TIFFReadRGBAStripExt(tiff, y, raster_.data(), 1);
  if (good != 1) return false;
  // libtiff multiplies colours by transparency that they are not yet multiplied by, but not gray ones.
  const bool blend = level.alpha == TiffAlpha::unassociated && level.colours() == 1;
  const std::uint8_t ground = ground_;
  Rgb* out = block.out().data;
  const int rows = level.tiled ? static_cast<int>(level.block_height) : block.height();
  for (int j = 0; j < block.height(); ++j) {
    const std::uint32_t* from = raster_.data() + static_cast<std::size_t>(rows - 1 - j) * level.block_width;
    if (level.alpha == TiffAlpha::none) {
      for (int i = 0; i < block.width(); ++i, ++out)
        *out = {static_cast<std::uint8_t>(TIFFGetR(from[i])), static_cast<std::uint8_t>(TIFFGetG(from[i])),
                static_cast<std::uint8_t>(TIFFGetB(from[i]))};
      continue;
    }
    for (int i = 0; i < block.width(); ++i) {
      const std::uint32_t p = from[i], alpha = TIFFGetA(p);
      const auto over = [&](unsigned channel) {
        return blend ? blend_over(ground, channel, alpha) : premultiplied_over(ground, channel, alpha);
      };
      *out++ = {over(TIFFGetR(p)), over(TIFFGetG(p)), over(TIFFGetB(p))};
      clear_pixels_ += alpha < 128;
    }
  }
  return true;
}

bool TiffFile::read_values(const TiffLevel& level, std::uint32_t x, std::uint32_t y) {
  TIFF* tiff = tiff_.get();
  const std::uint16_t planes = level.planar ? level.samples : 1;
  const auto values = std::size_t{level.block_width} * level.block_height * (level.planar ? 1 : level.samples);
  values_.assign(values * planes, 0);
  const auto bytes = static_cast<tmsize_t>(values * sizeof(std::uint16_t));
  for (std::uint16_t plane = 0; plane < planes; ++plane) {
    std::uint16_t* to = values_.data() + values * plane;
    const tmsize_t got = level.tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), to, bytes)
                                     : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), to, bytes);
    if (got < 0) return false;
  }
  return message_.empty();
}

bool TiffFile::decode_values(const TiffLevel& level, std::uint32_t x, std::uint32_t y, Block& block) {
  if (!read_values(level, x, y)) return false;
  const std::size_t plane = std::size_t{level.block_width} * level.block_height;
  const std::size_t step = level.planar ? 1 : level.samples, channel = level.planar ? plane : 1;
  const bool inverted = level.photometric == PHOTOMETRIC_MINISWHITE;
  Rgb* out = block.out().data;
  for (int j = 0; j < block.height(); ++j)
    for (int i = 0; i < block.width(); ++i) {
      const std::uint16_t* pixel = values_.data() + (static_cast<std::size_t>(j) * level.block_width + i) * step;
      const auto colour = [&](int c) {
        const std::uint32_t value = eight_bits(pixel[static_cast<std::size_t>(c) * channel], level.white);
        return inverted ? 255 - value : value;
      };
      const std::uint32_t alpha =
          level.alpha == TiffAlpha::none
              ? 255
              : eight_bits(pixel[static_cast<std::size_t>(level.colours()) * channel], level.white);
      const auto over = [&](int c) {
        return level.alpha == TiffAlpha::associated ? premultiplied_over(ground_, colour(c), alpha)
                                                    : blend_over(ground_, colour(c), alpha);
      };
      const std::uint8_t red = over(0);
      *out++ = level.colours() == 1 ? Rgb{red, red, red} : Rgb{red, over(1), over(2)};
      clear_pixels_ += alpha < 128;
    }
  return true;
}

std::optional<std::uint16_t> TiffFile::largest_value(const TiffLevel& level, std::uint32_t column, std::uint32_t row) {
  if (level.bits != 16 || std::uint64_t{level.block_width} * level.block_height > kMostLookedAt) return std::nullopt;
  if (!choose(level) || !read_values(level, column * level.block_width, row * level.block_height)) return std::nullopt;
  const std::size_t pixels = std::size_t{level.block_width} * level.block_height;
  const auto colours = static_cast<std::size_t>(level.colours());
  std::uint16_t largest = 0;
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t c = 0; c < colours; ++c)
      largest = std::max(largest, values_[level.planar ? c * pixels + i : i * level.samples + c]);
  return largest;
}

void check_not_cut_off(const std::string& path) {
  const TiffFile file(path);
  bool complete = true;
  do {
    complete = is_complete(file.get(), TIFFIsTiled(file.get()) != 0);
    if (complete && TIFFLastDirectory(file.get())) return;
  } while (complete && TIFFReadDirectory(file.get()) == 1);
  fail_input(path, "TIFF is cut off or damaged: it refers to places beyond its end", "copy or download it again");
}

}  // namespace starpath::io
