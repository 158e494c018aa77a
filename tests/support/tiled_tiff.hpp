// A slide that can be damaged in one place.
#pragma once
#include <gtest/gtest.h>
#include <tiffio.h>

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace starpath::support {

/// A tiled RGB TIFF of 1024 x 1024 pixels in JPEG-free, compressed tiles of 256: stripes of so many levels; 1: black.
inline void write_tiled_tiff(const std::string& path, unsigned levels = 200) {
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  ASSERT_NE(tiff, nullptr);
  for (const auto& [tag, value] :
       std::initializer_list<std::pair<int, int>>{{TIFFTAG_IMAGEWIDTH, 1024},
                                                  {TIFFTAG_IMAGELENGTH, 1024},
                                                  {TIFFTAG_TILEWIDTH, 256},
                                                  {TIFFTAG_TILELENGTH, 256},
                                                  {TIFFTAG_BITSPERSAMPLE, 8},
                                                  {TIFFTAG_SAMPLESPERPIXEL, 3},
                                                  {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB},
                                                  {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
                                                  {TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE}})
    TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
  std::vector<unsigned char> tile(256 * 256 * 3);
  for (std::uint32_t i = 0; i < 16; ++i) {
    for (std::size_t at = 0; at < tile.size(); ++at) tile[at] = static_cast<unsigned char>((at * 7 + i * 31) % levels);
    TIFFWriteEncodedTile(tiff, i, tile.data(), static_cast<tmsize_t>(tile.size()));
  }
  TIFFClose(tiff);
}

/// Overwrites the middle of the compressed data of one tile; gives back what was there.
inline std::string damage_tile(const std::string& path, std::uint32_t tile) {
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  std::uint64_t* offsets = nullptr;
  std::uint64_t* sizes = nullptr;
  TIFFGetField(tiff, TIFFTAG_TILEOFFSETS, &offsets);
  TIFFGetField(tiff, TIFFTAG_TILEBYTECOUNTS, &sizes);
  const std::uint64_t offset = offsets[tile], size = sizes[tile];
  TIFFClose(tiff);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string old(size, '\0');
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(old.data(), static_cast<std::streamsize>(size));
  file.seekp(static_cast<std::streamoff>(offset));
  file << std::string(size, '\xAA');
  return old;
}

}  // namespace starpath::support
