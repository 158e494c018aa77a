// An open TIFF file that reports libtiff's messages instead of printing them.
#pragma once
#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/slides/block_cache.hpp"

namespace starpath::io {

/// What a page's values beyond the colours are. Those that the page does not declare as transparency are none.
enum class TiffAlpha : std::uint8_t { none, associated, unassociated };

/// One page of a TIFF that is a level of the pyramid.
struct TiffLevel {
  std::uint64_t offset;  // of its directory
  std::uint32_t width, height;
  std::uint32_t block_width, block_height;  // tile, or full width by rows of a strip
  bool tiled;
  std::uint16_t samples;  // values a pixel
  std::uint16_t bits;     // a value
  std::uint16_t photometric;
  TiffAlpha alpha;
  bool planar;                   // each channel by itself
  std::uint32_t downsample = 1;  // of the slide, once that is known
  std::uint16_t white = 0xffff;  // of 16-bit values
  bool plain_rgb;                // tiles of three 8-bit colours, which libtiff decodes as they are kept here
  int colours() const { return samples < 3 ? 1 : 3; }
  std::uint32_t columns() const { return (width - 1) / block_width + 1; }
};

/// Used by one thread at a time.
class TiffFile {
 public:
  /// Transparent pixels are laid over the gray `ground`. Throws Error{input} when it cannot be opened as a TIFF.
  explicit TiffFile(const std::string& path, std::uint8_t ground = 255);

  /// Describes the current page. Empty string, or why it cannot be read as an image.
  std::string describe(TiffLevel& level);

  /// Decodes one tile or strip (its part within the image). One without bytes was left out by its writer, and comes as
  /// ground. Null when decoding fails: message() says why, and the file is not to be used again.
  std::shared_ptr<const Block> decode(const TiffLevel& level, std::uint32_t column, std::uint32_t row);
  /// Whether the block decoded last was left out.
  bool left_out() const { return left_out_; }
  /// The part of the block decoded last that is more transparent than not, in pixels.
  std::int64_t clear_pixels() const { return clear_pixels_; }

  /// The largest colour of one tile or strip of 16-bit values; nothing when it cannot be decoded.
  std::optional<std::uint16_t> largest_value(const TiffLevel& level, std::uint32_t column, std::uint32_t row);

  TIFF* get() const { return tiff_.get(); }
  const std::string& message() const { return message_; }

 private:
  bool choose(const TiffLevel& level);
  bool decode_rgb(const TiffLevel& level, std::uint32_t x, std::uint32_t y, Block& block);
  bool decode_rgba(const TiffLevel& level, std::uint32_t x, std::uint32_t y, Block& block);
  bool read_values(const TiffLevel& level, std::uint32_t x, std::uint32_t y);
  bool decode_values(const TiffLevel& level, std::uint32_t x, std::uint32_t y, Block& block);

  std::string path_;
  std::uint8_t ground_;
  std::string message_;
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  std::unique_ptr<TIFF, Close> tiff_;
  std::uint64_t current_ = 0;          // offset of the current directory, once set
  std::vector<Rgb> tile_;              // of one that reaches over the image's edge
  std::vector<std::uint32_t> raster_;  // libtiff's RGBA pixels, bottom row first
  std::vector<std::uint16_t> values_;  // of a block of 16-bit values, channel by channel where these lie by themselves
  bool left_out_ = false;
  std::int64_t clear_pixels_ = 0;
};

/// Throws Error{input} when pixels of any page, or the directory of a page, lie beyond the end of the file.
void check_not_cut_off(const std::string& path);

}  // namespace starpath::io
