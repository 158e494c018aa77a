// Slides of scanners whose canvas is larger than the slide, written for OpenSlide to read.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tiff_files.hpp"

namespace starpath::io::test {

/// Every n-th pixel in both directions.
inline Picture every(int n, const Picture& from) {
  Picture less(from.width / n, from.height / n);
  for (int y = 0; y < less.height; ++y)
    for (int x = 0; x < less.width; ++x) less.at(x, y) = from.at(n * x, n * y);
  return less;
}

/// Leica: an image at (x, y) of a canvas, with a level reduced by 4, both in tiles of 32 that they fill: OpenSlide 3.4
/// reads no smaller ones, nor parts of such tiles, without compression. 500 nm a pixel.
inline void write_scn(const std::string& path, const Picture& picture, int x, int y, int canvas_width,
                      int canvas_height) {
  constexpr int nm = 500;
  const Picture reduced = every(4, picture), macro(32, 32, {240, 240, 240});
  const auto image = [](int width, int height, int left, int top, const std::string& dimensions, const char* power) {
    return fmt::format(
        R"(<image><pixels>{}</pixels><view sizeX="{}" sizeY="{}" offsetX="{}" offsetY="{}"/><scanSettings>)"
        R"(<objectiveSettings><objective>{}</objective></objectiveSettings><illuminationSettings>)"
        R"(<illuminationSource>brightfield</illuminationSource></illuminationSettings></scanSettings></image>)",
        dimensions, width * nm, height * nm, left * nm, top * nm, power);
  };
  const std::string xml =
      fmt::format(R"(<?xml version="1.0"?><scn xmlns="http://www.leica-microsystems.com/scn/2010/10/01"><collection )"
                  R"(sizeX="{}" sizeY="{}">)",
                  canvas_width * nm, canvas_height * nm) +
      image(canvas_width, canvas_height, 0, 0, R"(<dimension sizeX="32" sizeY="32" r="0" ifd="0"/>)", "0.6") +
      image(picture.width, picture.height, x, y,
            fmt::format(
                R"(<dimension sizeX="{}" sizeY="{}" r="0" ifd="1"/><dimension sizeX="{}" sizeY="{}" r="1" ifd="2"/>)",
                picture.width, picture.height, reduced.width, reduced.height),
            "20") +
      "</collection></scn>";
  int page = 0;
  write_tiff(path, {rgb_page(macro), rgb_page(picture), rgb_page(reduced)},
             {.tile = 32, .more = [&](TIFF* tiff) {
                if (page == 0) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, xml.c_str());
                TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                for (const auto tag : {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION})
                  TIFFSetField(tiff, static_cast<std::uint32_t>(tag), page == 2 ? 5000.0 : 20000.0);
                ++page;
              }});
}

/// A picture of 24 bits without compression, in Microsoft's format; its width is a multiple of 4.
inline std::string bmp_bytes(const Picture& picture) {
  std::string bytes = "BM";
  const auto size = static_cast<std::uint32_t>(picture.pixels.size() * 3);
  const auto side = [](int pixels) { return static_cast<std::uint32_t>(pixels); };
  for (const std::uint32_t number :
       {54 + size, 0u, 54u, 40u, side(picture.width), side(picture.height), 1 | 24u << 16, 0u, size, 0u, 0u, 0u, 0u})
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
  for (int y = picture.height - 1; y >= 0; --y)
    for (int x = 0; x < picture.width; ++x)
      for (const std::uint8_t sample : {picture.at(x, y).b, picture.at(x, y).g, picture.at(x, y).r})
        bytes += static_cast<char>(sample);
  return bytes;
}

/// 3DHISTECH: `columns` x `rows` places of 32 pixels a side, less what they overlap, with a level reduced by 2. Where
/// `picture`, whose sides are whole tiles, lies at the tile (column, row); there is nothing elsewhere. An even column
/// and row, and an even number of tiles. Tiles are PNG, or BMP, which OpenSlide loads a library for.
inline void write_mirax(const std::string& path, const Picture& picture, int column, int row, int columns, int rows,
                        int overlap = 0, bool is_bmp = false) {
  constexpr int side = 32;
  const std::filesystem::path folder = std::filesystem::path(path).replace_extension();
  std::filesystem::create_directory(folder);
  const std::string id = "0123456789abcdef";
  std::string ini = fmt::format(
      "[GENERAL]\nSLIDE_VERSION=01.02\nSLIDE_ID={}\nIMAGENUMBER_X={}\nIMAGENUMBER_Y={}\nOBJECTIVE_MAGNIFICATION=20\n"
      "[HIERARCHICAL]\nHIER_COUNT=1\nNONHIER_COUNT=0\nINDEXFILE=Index.dat\nHIER_0_NAME=Slide zoom level\n"
      "HIER_0_COUNT=2\nHIER_0_VAL_0_SECTION=LEVEL_0\nHIER_0_VAL_1_SECTION=LEVEL_1\n"
      "[DATAFILE]\nFILE_COUNT=1\nFILE_0=Data0000.dat\n",
      id, columns, rows);
  for (int level = 0; level < 2; ++level)
    ini += fmt::format(
        "[LEVEL_{0}]\nIMAGE_CONCAT_FACTOR={0}\nOVERLAP_X={1}\nOVERLAP_Y={1}\nMICROMETER_PER_PIXEL_X=0.{2}\n"
        "MICROMETER_PER_PIXEL_Y=0.{2}\nIMAGE_FILL_COLOR_BGR=16777215\nDIGITIZER_WIDTH={3}\nDIGITIZER_HEIGHT={3}\n"
        "IMAGE_FORMAT={4}\n",
        level, overlap, level == 0 ? "25" : "5", side, is_bmp ? "BMP24" : "PNG");
  write_bytes((folder / "Slidedat.ini").string(), ini);

  std::string data, index = "01.02" + id;
  const auto number = [](std::string& bytes, std::size_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
  };
  const std::size_t root = index.size();
  number(index, root + 8);   // of the places of the levels
  number(index, 0);          // of what is no level
  number(index, root + 16);  // of level 0
  number(index, 0);          // of level 1, set below
  const std::string tile_file = (folder / "tile.png").string();
  for (int level = 0; level < 2; ++level) {
    const int step = 1 << level;
    const Picture pixels = every(step, picture);
    if (level == 1) {
      std::string place;
      number(place, index.size());
      index.replace(root + 12, 4, place);
    }
    const int across = pixels.width / side, down = pixels.height / side;
    number(index, 0);
    number(index, index.size() + 4);  // of the page that follows
    number(index, static_cast<std::size_t>(across * down));
    number(index, 0);
    for (int j = 0; j < down; ++j)
      for (int i = 0; i < across; ++i) {
        const Picture tile = crop(pixels, std::int64_t{i} * side, std::int64_t{j} * side, side, side);
        write_png(tile_file, tile);
        const std::string bytes = is_bmp ? bmp_bytes(tile) : read_bytes(tile_file);
        number(index, static_cast<std::size_t>((row + j * step) * columns + column + i * step));
        number(index, data.size());
        number(index, bytes.size());
        number(index, 0);
        data += bytes;
      }
  }
  std::filesystem::remove(tile_file);
  write_bytes((folder / "Data0000.dat").string(), data);
  write_bytes((folder / "Index.dat").string(), index);
  write_bytes(path, "MIRAX");
}

/// Ventana: one area of 2 x 2 tiles of 32 pixels at x of the canvas.
inline void write_bif(const std::string& path, const Picture& picture, int x) {
  const std::string scanner = R"(<iScan Magnification="20" ScanRes="0.465"/>)";
  const std::string places = fmt::format(
      R"(<EncodeInfo Ver="2"><SlideStitchInfo><ImageInfo AOIScanned="1" Width="32" Height="32" NumRows="2" NumCols="2" )"
      R"(Pos-X="{}" Pos-Y="0"><TileJointInfo Direction="RIGHT" Tile1="1" Tile2="2" OverlapX="0" OverlapY="0" )"
      R"(Confidence="100"/><TileJointInfo Direction="UP" Tile1="1" Tile2="4" OverlapX="0" OverlapY="0" )"
      R"(Confidence="100"/></ImageInfo></SlideStitchInfo><AoiOrigin><AOI0 OriginX="0" OriginY="0"/></AoiOrigin>)"
      R"(</EncodeInfo>)",
      x);
  int page = 0;
  write_tiff(path, {rgb_page(Picture(32, 32, {9, 9, 9})), rgb_page(picture)},
             {.tile = 32, .more = [&](TIFF* tiff) {
                const std::string& xml = page == 0 ? scanner : places;
                TIFFSetField(tiff, TIFFTAG_XMLPACKET, static_cast<std::uint32_t>(xml.size() + 1), xml.c_str());
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, page == 0 ? "Label Image" : "level=0 mag=20 quality=95");
                ++page;
              }});
}

}  // namespace starpath::io::test
