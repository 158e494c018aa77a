// PNG pictures that are written in pieces, on several threads.
#include "io/exports/png_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "slide_files.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io::test {
namespace {

// Noise beside plain colour, as on a slide.
Picture half_noise(int width, int height) {
  Picture picture(width, height, {240, 235, 238});
  std::uint32_t state = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width / 2; ++x) {
      state = state * 1664525u + 1013904223u;
      picture.at(x, y) = {static_cast<std::uint8_t>(state >> 24), static_cast<std::uint8_t>(state >> 16),
                          static_cast<std::uint8_t>(x + y)};
    }
  return picture;
}

void write(const std::string& path, const Picture& picture, int rows_at_once, int threads) {
  ThreadBudget budget(threads);
  AtomicFile file(path);
  PngWriter writer(file, picture.width, picture.height);
  for (int y = 0; y < picture.height; y += rows_at_once)
    writer.write({picture.pixels.data() + static_cast<std::ptrdiff_t>(y) * picture.width, picture.width,
                  std::min(rows_at_once, picture.height - y), picture.width},
                 budget);
  writer.finish();
  file.commit();
}

// A piece has 2^18 bytes, or a row: 87 rows of 1,000 pixels, and one of 100,000.
TEST(PngWriter, PixelsComeBackWhateverThePiecesThreadsAndRowsAtOnce) {
  const TempFolder folder;
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {1000, 87}, {1000, 88}, {1000, 300}, {100000, 3}}) {
    const Picture picture = half_noise(width, height);
    const std::string path = folder / (std::to_string(width) + "x" + std::to_string(height) + ".png");
    std::string first;
    for (const int rows_at_once : {1, 87, 1000}) {
      for (const int threads : {1, 4}) {
        write(path, picture, rows_at_once, threads);
        const std::string bytes = read_bytes(path);
        if (first.empty()) first = bytes;
        EXPECT_EQ(bytes, first) << path << ", " << rows_at_once << " rows, " << threads << " threads";
      }
    }
    EXPECT_EQ(read_all(*open_slide(path)), picture) << path;
  }
}

TEST(PngWriter, PiecesTakeLittleRoom) {
  const TempFolder folder;
  write(folder / "a.png", Picture(1000, 1000, {240, 235, 238}), 1, 2);
  EXPECT_LT(std::filesystem::file_size(folder / "a.png"), 20'000u);  // of 3 MB
}

TEST(PngWriter, TooWide) {
  const TempFolder folder;
  AtomicFile file(folder / "a.png");
  EXPECT_THROW(PngWriter(file, (1 << 28) + 1, 1), Error);
}

}  // namespace
}  // namespace starpath::io::test
