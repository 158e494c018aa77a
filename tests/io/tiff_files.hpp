// TIFF files that the slide tests write.
#pragma once
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "slide_files.hpp"

namespace starpath::io::test {

struct TiffOptions {
  int tile = 0;   // side of square tiles; 0: strips
  int strip = 7;  // rows a strip
  std::uint16_t compression = COMPRESSION_NONE;
  std::uint16_t bits = 8, samples = 3, photometric = PHOTOMETRIC_RGB;
  std::function<void(TIFF*)> more = [](TIFF*) {};                                     // further tags
  std::function<bool(int page, int tile)> left_out = [](int, int) { return false; };  // not written, as of length zero
};

/// Writes pages one after the other; `bytes` gives each page's samples, `width * height * samples * bits / 8` of them.
struct TiffPage {
  int width, height;
  std::string bytes;
};

inline TiffPage rgb_page(const Picture& picture) {
  return {picture.width,
          picture.height,
          {reinterpret_cast<const char*>(picture.pixels.data()), picture.pixels.size() * sizeof(Rgb)}};
}

inline void write_tiff(const std::string& path, const std::vector<TiffPage>& pages, const TiffOptions& options) {
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  ASSERT_NE(tiff, nullptr);
  for (const TiffPage& page : pages) {
    const int number = static_cast<int>(&page - pages.data());
    int tile_number = 0;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, page.width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, page.height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, options.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, options.samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, options.photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, options.compression);
    if (options.compression == COMPRESSION_JPEG && options.photometric == PHOTOMETRIC_YCBCR)
      TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    const std::size_t pixel = static_cast<std::size_t>(options.samples) * options.bits / 8;
    const std::size_t row = static_cast<std::size_t>(page.width) * pixel;
    std::string buffer;
    if (options.tile > 0) {
      const auto side = static_cast<std::size_t>(options.tile);
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, options.tile);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, options.tile);
      options.more(tiff);
      for (int y = 0; y < page.height; y += options.tile) {
        for (int x = 0; x < page.width; x += options.tile) {
          if (options.left_out(number, tile_number++)) continue;
          buffer.assign(side * side * pixel, '\0');
          const auto width = static_cast<std::size_t>(std::min(options.tile, page.width - x)) * pixel;
          for (int j = 0; j < std::min(options.tile, page.height - y); ++j)
            page.bytes.copy(&buffer[static_cast<std::size_t>(j) * side * pixel], width,
                            static_cast<std::size_t>(y + j) * row + static_cast<std::size_t>(x) * pixel);
          ASSERT_GE(
              TIFFWriteTile(tiff, buffer.data(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0),
              0);
        }
      }
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, options.strip);
      options.more(tiff);
      for (int y = 0; y < page.height; ++y) {
        buffer = page.bytes.substr(static_cast<std::size_t>(y) * row, row);
        ASSERT_EQ(TIFFWriteScanline(tiff, buffer.data(), static_cast<std::uint32_t>(y), 0), 1);
      }
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

/// Overwrites the bytes of one tile of a page with nonsense.
inline void damage_tile(const std::string& path, int tile_index, int page = 0) {
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  ASSERT_NE(tiff, nullptr);
  ASSERT_EQ(TIFFSetDirectory(tiff, static_cast<tdir_t>(page)), 1);
  const std::uint64_t offset = TIFFGetStrileOffset(tiff, static_cast<std::uint32_t>(tile_index));
  const std::uint64_t size = TIFFGetStrileByteCount(tiff, static_cast<std::uint32_t>(tile_index));
  TIFFClose(tiff);
  std::string bytes = read_bytes(path);
  for (std::uint64_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<char>(0xff - i % 7);
  write_bytes(path, bytes);
}

}  // namespace starpath::io::test
