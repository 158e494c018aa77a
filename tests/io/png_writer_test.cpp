// PNG pictures that are written rows after rows.
#include "io/exports/png_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/outputs/picture_start.hpp"
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

void write(const std::string& path, const Picture& picture, int rows_at_once, const std::string& title = "") {
  AtomicFile file(path);
  PngWriter writer(file, picture.width, picture.height, title);
  for (int y = 0; y < picture.height; y += rows_at_once)
    writer.write({picture.pixels.data() + static_cast<std::ptrdiff_t>(y) * picture.width, picture.width,
                  std::min(rows_at_once, picture.height - y), picture.width});
  writer.finish();
  file.commit();
}

TEST(PngWriter, PixelsComeBackWhateverTheRowsAtOnce) {
  const TempFolder folder;
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 5}, {1000, 300}, {100000, 3}}) {
    const Picture picture = half_noise(width, height);
    const std::string path = folder / (std::to_string(width) + "x" + std::to_string(height) + ".png");
    std::string first;
    for (const int rows_at_once : {1, 87, 1000}) {
      write(path, picture, rows_at_once);
      const std::string bytes = read_bytes(path);
      if (first.empty()) first = bytes;
      EXPECT_EQ(bytes, first) << path << ", " << rows_at_once << " rows";
    }
    EXPECT_EQ(read_all(*open_slide(path)), picture) << path;
  }
}

TEST(PngWriter, PlainColourTakesLittleRoom) {
  const TempFolder folder;
  write(folder / "a.png", Picture(1000, 1000, {240, 235, 238}), 1);
  EXPECT_LT(std::filesystem::file_size(folder / "a.png"), 20'000u);  // of 3 MB
}

TEST(PngWriter, ATitleLiesInFrontOfThePixels) {
  const TempFolder folder;
  write(folder / "a.png", half_noise(30, 20), 20, "Two halves");
  EXPECT_TRUE(is_picture_titled(folder / "a.png", "Two halves"));
  EXPECT_FALSE(is_picture_titled(folder / "a.png", "Two"));
  EXPECT_EQ(read_all(*open_slide(folder / "a.png")), half_noise(30, 20));
}

}  // namespace
}  // namespace starpath::io::test
