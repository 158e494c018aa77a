// A large slide, made of a small real one: bench_make_slide SMALL.svs SIDE LARGE
//
// The small slide is repeated, each copy the mirror image of its neighbours, so that no seam shows. As a scanner does
// it, the file has JPEG tiles of 256 pixels and quality 90 on levels of 1, 4 and 16 pixels a pixel. So decoding, tissue
// and nuclei cost what they cost on a real slide of that size. LARGE is a slide of Aperio, or of Leica where its name
// ends in .scn: OpenSlide alone decodes the latter.
#include <fmt/format.h>
#include <tiffio.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/slides/slide.hpp"

namespace {

using namespace starpath;

constexpr int kTile = 256;
constexpr int kQuality = 90;

/// The place on the small slide that a pixel of the large one mirrors.
std::int64_t mirrored(std::int64_t at, std::int64_t size) {
  const std::int64_t within = at % (2 * size);
  return within < size ? within : 2 * size - 1 - within;
}

struct Small {
  int width, height;
  std::vector<Rgb> pixels;
  Rgb at(std::int64_t x, std::int64_t y) const {
    return pixels[static_cast<std::size_t>(mirrored(y, height) * width + mirrored(x, width))];
  }
};

Small read_small(const io::Slide& slide) {
  Small small{static_cast<int>(slide.info().width()), static_cast<int>(slide.info().height()), {}};
  small.pixels.resize(static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height));
  slide.read(0, 0, 0, {small.pixels.data(), small.width, small.height, small.width});
  return small;
}

/// The mean of the step x step pixels under pixel (x, y) of a level.
Rgb reduced(const Small& small, std::int64_t x, std::int64_t y, int step) {
  int red = 0, green = 0, blue = 0;
  for (int j = 0; j < step; ++j)
    for (int i = 0; i < step; ++i) {
      const Rgb pixel = small.at(x * step + i, y * step + j);
      red += pixel.r, green += pixel.g, blue += pixel.b;
    }
  const auto mean = [&](int sum) { return static_cast<std::uint8_t>((sum + step * step / 2) / (step * step)); };
  return {mean(red), mean(green), mean(blue)};
}

struct Close {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};

std::string aperio_description(int side, double mpp) {
  return fmt::format("Aperio Image Library v11.2.1\r\n{}x{} |AppMag = 20|MPP = {}", side, side, mpp);
}

/// Of a file whose first page shows the whole glass, which is wider than the slide, and the others the slide's levels.
std::string leica_description(int side, double mpp, const std::vector<int>& steps) {
  const auto nm = [&](int pixels) { return static_cast<std::int64_t>(pixels * mpp * 1000); };
  const int glass = side + 16 * kTile;
  const auto image = [&](int shown, const std::string& dimensions, const char* power) {
    return fmt::format(
        R"(<image><pixels>{0}</pixels><view sizeX="{1}" sizeY="{1}" offsetX="0" offsetY="0"/><scanSettings>)"
        R"(<objectiveSettings><objective>{2}</objective></objectiveSettings><illuminationSettings>)"
        R"(<illuminationSource>brightfield</illuminationSource></illuminationSettings></scanSettings></image>)",
        dimensions, nm(shown), power);
  };
  const auto dimension = [](int pixels, std::size_t level, std::size_t page) {
    return fmt::format(R"(<dimension sizeX="{0}" sizeY="{0}" r="{1}" ifd="{2}"/>)", pixels, level, page);
  };
  std::string levels;
  for (std::size_t i = 0; i < steps.size(); ++i) levels += dimension(side / steps[i], i, i + 1);
  return fmt::format(R"(<?xml version="1.0"?><scn xmlns="http://www.leica-microsystems.com/scn/2010/10/01">)"
                     R"(<collection sizeX="{0}" sizeY="{0}">{1}{2}</collection></scn>)",
                     nm(glass), image(glass, dimension(side / steps.back(), 0, 0), "0.6"), image(side, levels, "20"));
}

void write_level(TIFF* tiff, const Small& small, int side, int step, double mpp, const std::string& description) {
  const int width = side / step;
  if (!description.empty()) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description.c_str());
  TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
  for (const std::uint32_t tag : {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION}) TIFFSetField(tiff, tag, 1e4 / mpp / step);
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, width);
  TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kTile);
  TIFFSetField(tiff, TIFFTAG_TILELENGTH, kTile);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR);
  TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, 2, 2);
  TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, kQuality);
  std::vector<Rgb> tile(kTile * kTile);
  for (int y = 0; y < width; y += kTile)
    for (int x = 0; x < width; x += kTile) {
      for (int i = 0; i < kTile * kTile; ++i)
        tile[static_cast<std::size_t>(i)] = reduced(small, x + i % kTile, y + i / kTile, step);
      if (TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0, 0) < 0)
        throw std::runtime_error("a tile could not be written");
    }
  TIFFWriteDirectory(tiff);
}

void write_slide(TIFF* tiff, const Small& small, int side, double mpp, bool is_leica) {
  const std::vector<int> steps = {1, 4, 16};
  if (is_leica) write_level(tiff, small, side, steps.back(), mpp, leica_description(side, mpp, steps));
  for (const int step : steps) write_level(tiff, small, side, step, mpp, is_leica ? "" : aperio_description(side, mpp));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"A large slide in the format of Aperio or Leica, made of a small one"};
  std::string small_path, large_path;
  int side = 16384;
  app.add_option("SMALL", small_path)->required();
  app.add_option("SIDE", side, "pixels")->required()->check(CLI::Range(kTile, 1 << 17));
  app.add_option("LARGE", large_path)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    const auto slide = io::open_slide(small_path);
    const Small small = read_small(*slide);
    const std::unique_ptr<TIFF, Close> tiff(TIFFOpen(large_path.c_str(), "w8"));
    if (!tiff) throw std::runtime_error(large_path + " cannot be written");
    write_slide(tiff.get(), small, side, slide->info().mpp, large_path.ends_with(".scn"));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_make_slide: error: %s\n", error.what());
    return 1;
  }
}
