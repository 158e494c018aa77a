// Makes the benchmark tile, from the painter or from a real slide.
#include "bench/kernels/tile.hpp"

#include <openslide.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace starpath::bench {
namespace {

int mirrored(int position, int size) {
  const int folded = position % (2 * size);
  return folded < size ? folded : 2 * size - 1 - folded;
}

Plane<Rgb> from_slide(const std::string& path) {
  openslide_t* slide = openslide_open(path.c_str());
  if (slide == nullptr || openslide_get_error(slide) != nullptr)
    throw std::runtime_error("STARPATH_BENCH_TILE: cannot open " + path);
  std::int64_t full_width = 0, full_height = 0;
  openslide_get_level0_dimensions(slide, &full_width, &full_height);
  const int width = static_cast<int>(std::min<std::int64_t>(full_width, kTileSide));
  const int height = static_cast<int>(std::min<std::int64_t>(full_height, kTileSide));
  Plane<std::uint32_t> argb(width, height);
  openslide_read_region(slide, argb.view().data, (full_width - width) / 2, (full_height - height) / 2, 0, width,
                        height);
  const bool failed = openslide_get_error(slide) != nullptr;
  openslide_close(slide);
  if (failed) throw std::runtime_error("STARPATH_BENCH_TILE: cannot read " + path);
  Plane<Rgb> tile;
  for (int y = 0; y < kTileSide; ++y)
    for (int x = 0; x < kTileSide; ++x) {
      const std::uint32_t p = argb.view().at(mirrored(x, width), mirrored(y, height));
      tile.view().at(x, y) = {static_cast<std::uint8_t>(p >> 16), static_cast<std::uint8_t>(p >> 8),
                              static_cast<std::uint8_t>(p)};
    }
  return tile;
}

}  // namespace

const Plane<Rgb>& tile() {
  static const Plane<Rgb> made = [] {
    if (const char* path = std::getenv("STARPATH_BENCH_TILE")) return from_slide(path);
    Plane<Rgb> plane;
    TissuePainter(plane.view(), 1).paint();
    return plane;
  }();
  return made;
}

}  // namespace starpath::bench
