// What reading a slide costs beside decoding its JPEG tiles alone: bench_read SLIDE.svs
//
// Both go over level 0 in one thread, in turns. "read" asks the slide for tiles of 4096 pixels with halos of 224, as
// the segmentation does; "decode" hands each stored tile once to libjpeg-turbo.
#include <tiffio.h>
#include <turbojpeg.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
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

constexpr int kTile = 4096, kHalo = 224, kTurns = 5;

constexpr int kSide = kTile + 2 * kHalo;

void read_all(const io::Slide& slide, View<Rgb> out) {
  for (std::int64_t y = 0; y < slide.info().height(); y += kTile)
    for (std::int64_t x = 0; x < slide.info().width(); x += kTile) slide.read(0, x - kHalo, y - kHalo, out);
}

struct Close {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  void operator()(void* decoder) const { tjDestroy(decoder); }
};

/// The stored tiles of the first page, each with the tables that the page keeps apart.
std::vector<std::string> stored_tiles(const std::string& path) {
  const std::unique_ptr<TIFF, Close> tiff(TIFFOpen(path.c_str(), "r"));
  if (!tiff || TIFFIsTiled(tiff.get()) == 0) throw std::runtime_error(path + " is no tiled TIFF");
  std::uint32_t count = 0;
  const char* bytes = nullptr;
  std::string tables;
  if (TIFFGetField(tiff.get(), TIFFTAG_JPEGTABLES, &count, &bytes) == 1 && count > 2) tables.assign(bytes, count - 2);
  std::vector<std::string> tiles(TIFFNumberOfTiles(tiff.get()));
  for (std::uint32_t i = 0; i < tiles.size(); ++i) {
    std::string& tile = tiles[i];
    tile.resize(TIFFGetStrileByteCount(tiff.get(), i));
    if (TIFFReadRawTile(tiff.get(), i, tile.data(), static_cast<tmsize_t>(tile.size())) < 2)
      throw std::runtime_error(path + ": a tile has no bytes");
    if (!tables.empty()) tile.replace(0, 2, tables);  // the tile's own start marker stands in the tables
  }
  return tiles;
}

void decode_all(const std::vector<std::string>& tiles) {
  const std::unique_ptr<void, Close> decoder(tjInitDecompress());
  std::vector<unsigned char> pixels;
  for (const std::string& tile : tiles) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(tile.data());
    int width = 0, height = 0, sampling = 0, colours = 0;
    if (tjDecompressHeader3(decoder.get(), bytes, tile.size(), &width, &height, &sampling, &colours) != 0)
      throw std::runtime_error(tjGetErrorStr2(decoder.get()));
    pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    if (tjDecompress2(decoder.get(), bytes, tile.size(), pixels.data(), width, 0, height, TJPF_RGB, 0) != 0)
      throw std::runtime_error(tjGetErrorStr2(decoder.get()));
  }
}

template <class Work>
double seconds(const Work& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"What reading a slide costs beside decoding its JPEG tiles alone"};
  std::string path;
  app.add_option("SLIDE", path)->required();
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<std::string> tiles = stored_tiles(path);
    std::vector<Rgb> region(std::size_t{kSide} * kSide);
    std::vector<double> reading, decoding;
    for (int turn = 0; turn < kTurns; ++turn) {
      const auto slide = io::open_slide(path);
      reading.push_back(seconds([&] { read_all(*slide, {region.data(), kSide, kSide, kSide}); }));
      decoding.push_back(seconds([&] { decode_all(tiles); }));
    }
    std::printf("%zu tiles: read %.3f s, decode %.3f s, ratio %.2f\n", tiles.size(), median(reading), median(decoding),
                median(reading) / median(decoding));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_read: error: %s\n", error.what());
    return 1;
  }
}
