// An open TIFF file that reports libtiff's messages instead of printing them.
#pragma once
#include <tiffio.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/slides/block_cache.hpp"

namespace starpath::io {

/// One page of a TIFF that is a level of the pyramid.
struct TiffLevel {
  std::uint64_t offset;  // of its directory
  std::uint32_t width, height;
  std::uint32_t block_width, block_height;  // tile, or full width by rows of a strip
  bool tiled;
  std::uint16_t samples;  // values a pixel
  std::uint32_t columns() const { return (width - 1) / block_width + 1; }
};

/// Used by one thread at a time.
class TiffFile {
 public:
  /// Transparent pixels are laid over the gray `ground`. Throws Error{input} when it cannot be opened as a TIFF.
  explicit TiffFile(const std::string& path, std::uint8_t ground = 255);

  /// Describes the current page. Empty string, or why it cannot be read as an image.
  std::string describe(TiffLevel& level);

  /// Decodes one tile or strip (its part within the image). Null when that fails: message() says why, and the file is
  /// not to be used again.
  std::shared_ptr<const Block> decode(const TiffLevel& level, std::uint32_t column, std::uint32_t row);

  TIFF* get() const { return tiff_.get(); }
  const std::string& message() const { return message_; }

 private:
  bool claims_too_much(const TiffLevel& level, std::uint32_t x, std::uint32_t y) const;

  std::string path_;
  std::uint8_t ground_;
  std::string message_;
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  std::unique_ptr<TIFF, Close> tiff_;
  std::uint64_t current_ = 0;          // offset of the current directory, once set
  std::vector<std::uint32_t> raster_;  // libtiff's RGBA pixels, bottom row first
};

/// Throws Error{input} when pixels of any page, or the directory of a page, lie beyond the end of the file.
void check_not_cut_off(const std::string& path);

}  // namespace starpath::io
