// Counts of pixels that a tile's tasks are estimated by.
#include "codelets/kernels/pixel_counts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace starpath {
namespace {

TEST(PixelCounts, StandForTheRowsThatAreNotCounted) {
  constexpr int width = 7, height = 9;
  constexpr Rgb glass{221, 240, 255}, stroma{220, 240, 255}, nucleus{149, 100, 200};
  std::vector<Rgb> pixels(width * height, glass);
  const auto put = [&](int x, int y, Rgb colour) { pixels[static_cast<std::size_t>(y * width + x)] = colour; };
  put(0, 0, nucleus);  // rows 0, 4 and 8 are counted
  put(1, 0, nucleus);
  put(3, 0, nucleus);
  put(6, 4, stroma);
  put(6, 8, nucleus);
  put(0, 5, nucleus);
  EXPECT_EQ(cpu::count_pixels({pixels.data(), width, height, width}),
            (PixelCounts{.tissue = 4 * 5, .dark = 4 * 4, .runs = 4 * 3}));
  EXPECT_EQ(cpu::count_pixels({pixels.data(), 2, 1, width}), (PixelCounts{.tissue = 8, .dark = 8, .runs = 4}));
}

}  // namespace
}  // namespace starpath
