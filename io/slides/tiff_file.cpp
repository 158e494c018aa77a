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

namespace starpath::io {
namespace {

// A strip or tile is decoded whole: this many pixels are 1 GiB of RGBA.
constexpr std::uint64_t kMaxBlockPixels = std::uint64_t{1} << 28;

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
    const bool jpeg_2000 = compression == 33003 || compression == 33005 || compression == 34712;
    const bool jpeg_xl = compression == 50002 || compression == 52546;
    return fmt::format("is compressed by a method that is not read ({})", jpeg_2000 ? "JPEG 2000"
                                                                          : jpeg_xl
                                                                              ? "JPEG XL"
                                                                              : fmt::format("number {}", compression));
  }
  // libtiff would take the first channels and drop the others.
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  const bool one_colour = photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE;
  if (samples > (one_colour ? 2 : photometric == PHOTOMETRIC_SEPARATED ? 5 : 4))
    return fmt::format("has {} channels, and only gray, RGB and their transparency are read", samples);
  return "";
}

}  // namespace

TiffFile::TiffFile(const std::string& path, std::uint8_t ground) : path_(path), ground_(ground) {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, &message_);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, &message_);
  tiff_.reset(TIFFOpenExt(path.c_str(), "r", options));
  TIFFOpenOptionsFree(options);
  if (!tiff_)
    fail_input(path, "TIFF cannot be opened: " + message_,
               "the file may be cut off or damaged: copy or download it again");
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
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &level.samples);
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
  return "";
}

bool TiffFile::claims_too_much(const TiffLevel& level, std::uint32_t x, std::uint32_t y) const {
  TIFF* tiff = tiff_.get();
  const std::uint32_t piece = level.tiled ? TIFFComputeTile(tiff, x, y, 0, 0) : TIFFComputeStrip(tiff, y, 0);
  const std::uint64_t stored = TIFFGetStrileByteCount(tiff, piece);
  const std::uint64_t pixels = std::uint64_t{level.block_width} * level.block_height;
  return pixels / kMostFromAByte > stored + 1;
}

std::shared_ptr<const Block> TiffFile::decode(const TiffLevel& level, std::uint32_t column, std::uint32_t row) {
  TIFF* tiff = tiff_.get();
  message_.clear();
  if (current_ != level.offset && TIFFSetSubDirectory(tiff, level.offset) != 1) return nullptr;
  current_ = level.offset;
  const std::uint32_t x = column * level.block_width, y = row * level.block_height;
  const std::uint32_t width = std::min(level.block_width, level.width - x);
  const std::uint32_t height = std::min(level.block_height, level.height - y);
  if (claims_too_much(level, x, y)) {
    message_ = "it claims more pixels than its bytes can hold";
    return nullptr;
  }
  raster_.resize(std::size_t{level.block_width} * level.block_height);
  const int good = level.tiled ? TIFFReadRGBATileExt(tiff, x, y, raster_.data(), 1)
                               : TIFFReadRGBAStripExt(tiff, y, raster_.data(), 1);
  if (good != 1 || !message_.empty()) {
    if (message_.empty()) message_ = "libtiff gives no reason";
    return nullptr;
  }
  auto block = std::make_shared<Block>(Block{static_cast<int>(width), static_cast<int>(height), {}});
  block->pixels.resize(std::size_t{width} * height);
  Rgb* out = block->pixels.data();
  const std::uint32_t rows = level.tiled ? level.block_height : height;
  for (std::uint32_t j = 0; j < height; ++j) {
    const std::uint32_t* from = raster_.data() + std::size_t{rows - 1 - j} * level.block_width;
    for (std::uint32_t i = 0; i < width; ++i) {
      const std::uint32_t p = from[i], alpha = TIFFGetA(p);
      const auto over = [&](unsigned channel) { return premultiplied_over(ground_, channel, alpha); };
      *out++ = {over(TIFFGetR(p)), over(TIFFGetG(p)), over(TIFFGetB(p))};
    }
  }
  return block;
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
