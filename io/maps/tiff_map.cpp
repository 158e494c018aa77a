// Maps in TIFF files, read by tiles or strips.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "io/maps/map_file.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/tiff_file.hpp"

namespace starpath::io {
namespace {

// A tile or strip is decoded whole.
constexpr std::uint64_t kMostBlockBytes = std::uint64_t{1} << 28;

struct Page {
  std::uint64_t offset = 0;  // of its directory
  std::uint32_t width = 0, height = 0, block_width = 0, block_height = 0;
  std::uint16_t samples = 1;
  bool tiled = false, planar = false;
  NumberType type = NumberType::u8;
};

std::optional<NumberType> type_of(std::uint16_t format, std::uint16_t bits) {
  using enum NumberType;
  const auto of_bits = [bits](NumberType b8, NumberType b16, NumberType b32, NumberType b64) {
    return bits == 8    ? std::optional(b8)
           : bits == 16 ? std::optional(b16)
           : bits == 32 ? std::optional(b32)
           : bits == 64 ? std::optional(b64)
                        : std::nullopt;
  };
  if (format == SAMPLEFORMAT_UINT) return of_bits(u8, u16, u32, u64);
  if (format == SAMPLEFORMAT_INT) return of_bits(i8, i16, i32, i64);
  if (format == SAMPLEFORMAT_IEEEFP && bits != 8) return of_bits(f16, f16, f32, f64);
  return std::nullopt;
}

/// The current page. Throws for what is not read.
Page current_page(const std::string& path, TIFF* tiff) {
  Page page;
  page.offset = TIFFCurrentDirOffset(tiff);
  std::uint16_t bits = 1, format = SAMPLEFORMAT_UINT, planes = PLANARCONFIG_CONTIG, compression = COMPRESSION_NONE;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page.width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page.height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page.samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  page.tiled = TIFFIsTiled(tiff) != 0;
  page.planar = planes == PLANARCONFIG_SEPARATE && page.samples > 1;
  if (page.tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page.block_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page.block_height);
  } else {
    page.block_width = page.width;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page.block_height);
    page.block_height = std::min(page.block_height, page.height);
  }
  constexpr std::uint32_t most = 0x7fffffff;
  if (page.width < 1 || page.height < 1 || page.width > most || page.height > most || page.block_width < 1 ||
      page.block_height < 1 || page.samples < 1)
    fail_input(path, fmt::format("has no pixels, or too many ({}x{})", page.width, page.height), "write it again");
  const auto type = type_of(format, bits);
  if (!type)
    fail_input(path, fmt::format("holds numbers of {} bits (sample format {}), which are not read", bits, format),
               "write them as uint8, int32 or float32");
  page.type = *type;
  if (TIFFIsCODECConfigured(compression) == 0)
    fail_input(path, fmt::format("is compressed by a method that is not read ({})", compression),
               "write it with the compression deflate");
  if (compression == COMPRESSION_JPEG || compression == COMPRESSION_OJPEG)
    fail_input(path, "is compressed by JPEG, which changes numbers", "write it with the compression deflate");
  const std::uint64_t bytes = std::uint64_t{page.block_width} * page.block_height;
  if (bytes > kMostBlockBytes / (bytes_of(page.type) * (page.planar ? 1 : page.samples)))
    fail_input(path,
               fmt::format("is stored in pieces of {}x{} pixels of {} bytes, too large to be read piece by piece",
                           page.block_width, page.block_height, bytes_of(page.type) * page.samples),
               "write it in tiles, as tifffile.imwrite(..., tile=(512, 512)) does");
  return page;
}

/// The first page, and those of its kind behind it where a page has one channel.
std::vector<Page> pages_of(const std::string& path, TIFF* tiff) {
  std::vector<Page> pages = {current_page(path, tiff)};
  while (pages[0].samples == 1 && TIFFReadDirectory(tiff) == 1) {
    std::uint32_t width = 0, height = 0, kind = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
    if (width != pages[0].width || height != pages[0].height || kind != 0) continue;
    pages.push_back(current_page(path, tiff));
    if (pages.back().samples != 1 || pages.back().type != pages[0].type)
      fail_input(path, fmt::format("page {} is of another kind than the first", pages.size()), "write it again");
    if (pages.size() > kMostMapChannels)
      fail_input(path, fmt::format("has more than {} pages of one size", kMostMapChannels),
                 "give the pages of one slide");
  }
  return pages;
}

class TiffMap final : public MapFile {
 public:
  TiffMap(const std::string& path, const MapShape& shape, std::vector<Page> pages)
      : MapFile(path, shape), pages_(std::move(pages)) {}

  void read(int channel, const MapBox& box, double* to, std::ptrdiff_t stride) const override {
    read_channels(channel, 1, box, to, stride, 0);
  }

  void read_channels(int first, int count, const MapBox& box, double* to, std::ptrdiff_t stride,
                     std::ptrdiff_t plane) const override {
    const bool in_pages = pages_.size() > 1;
    const Page& page = pages_[in_pages ? static_cast<std::size_t>(first) : 0];
    if ((in_pages || page.planar) && count > 1) return MapFile::read_channels(first, count, box, to, stride, plane);
    const auto sample = static_cast<std::uint16_t>(in_pages ? 0 : first);
    std::unique_ptr<TiffFile> file = take();
    if (TIFFSetSubDirectory(file->get(), page.offset) != 1) fail(*file, box.x, box.y);
    const std::size_t bytes = bytes_of(page.type), step = bytes * (page.planar ? 1 : page.samples);
    std::vector<std::byte> block(std::size_t{page.block_width} * page.block_height * step);
    const std::int64_t right = box.x + box.width, bottom = box.y + box.height, width = page.block_width,
                       height = page.block_height;
    for (std::int64_t top = box.y / height * height; top < bottom; top += height)
      for (std::int64_t left = box.x / width * width; left < right; left += width) {
        decode(*file, page, sample, left, top, block);
        const std::int64_t x0 = std::max(left, box.x), x1 = std::min(left + width, right);
        for (std::int64_t y = std::max(top, box.y); y < std::min(top + height, bottom); ++y) {
          const std::byte* const pixels = block.data() +
                                          static_cast<std::size_t>((y - top) * width + x0 - left) * step +
                                          (page.planar ? 0 : sample * bytes);
          for (int channel = 0; channel < count; ++channel)
            take_numbers(pixels + static_cast<std::size_t>(channel) * bytes, page.type, step,
                         static_cast<std::size_t>(x1 - x0), to + channel * plane + (y - box.y) * stride + (x0 - box.x));
        }
      }
    give_back(std::move(file));
  }

 private:
  [[noreturn]] void fail(const TiffFile& file, std::int64_t x, std::int64_t y) const {
    fail_input(path_,
               fmt::format("cannot be read at x={} y={} ({})", x, y,
                           file.message().empty() ? "libtiff gives no reason" : file.message()),
               "copy or write it again");
  }

  void decode(TiffFile& file, const Page& page, std::uint16_t sample, std::int64_t x, std::int64_t y,
              std::vector<std::byte>& block) const {
    TIFF* tiff = file.get();
    const auto left = static_cast<std::uint32_t>(x), top = static_cast<std::uint32_t>(y);
    const std::uint16_t plane = page.planar ? sample : std::uint16_t{0};
    const std::uint32_t number =
        page.tiled ? TIFFComputeTile(tiff, left, top, 0, plane) : TIFFComputeStrip(tiff, top, plane);
    if (TIFFGetStrileByteCount(tiff, number) == 0) {  // left out by its writer
      std::fill(block.begin(), block.end(), std::byte{0});
      return;
    }
    const std::size_t row = block.size() / page.block_height;
    const std::size_t rows = page.tiled ? page.block_height : std::min(page.block_height, page.height - top);
    const auto wanted = static_cast<tmsize_t>(row * rows);
    const tmsize_t got = page.tiled ? TIFFReadEncodedTile(tiff, number, block.data(), wanted)
                                    : TIFFReadEncodedStrip(tiff, number, block.data(), wanted);
    if (got != wanted || !file.message().empty()) fail(file, x, y);
  }

  std::unique_ptr<TiffFile> take() const {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<TiffFile>(path_);
    std::unique_ptr<TiffFile> file = std::move(idle_.back());
    idle_.pop_back();
    return file;
  }
  void give_back(std::unique_ptr<TiffFile> file) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(file));
  }

  const std::vector<Page> pages_;  // several: a channel each
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<TiffFile>> idle_;  // a handle serves one thread at a time
};

}  // namespace

std::unique_ptr<MapFile> open_tiff_map(const std::string& path) {
  check_not_cut_off(path);
  std::vector<Page> pages;
  {
    const TiffFile file(path);
    pages = pages_of(path, file.get());
  }
  const Page& first = pages[0];
  const int channels = pages.size() > 1 ? static_cast<int>(pages.size()) : first.samples;
  if (channels > kMostMapChannels)
    fail_input(path, fmt::format("has {} channels; at most {} are read", channels, kMostMapChannels), "write fewer");
  const MapShape shape{first.width, first.height, channels, first.type};
  return std::make_unique<TiffMap>(path, shape, std::move(pages));
}

}  // namespace starpath::io
