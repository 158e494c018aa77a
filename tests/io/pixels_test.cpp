// Which part of a picture a region shows.
#include "io/slides/pixels.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace starpath::io {
namespace {

TEST(ShownPart, IsTheRegionCutAtTheBordersAndTheRestIsWhite) {
  struct Case {
    std::int64_t x, y;
    PixelBox part;
  };
  for (const auto& [x, y, part] :
       std::vector<Case>{{2, 1, {2, 1, 6, 4}}, {6, 2, {6, 2, 10, 5}}, {-1, -2, {0, 0, 3, 1}}, {8, 4, {8, 4, 10, 5}}}) {
    std::vector<Rgb> pixels(12, Rgb{1, 2, 3});
    const PixelBox shown = shown_part(10, 5, x, y, {pixels.data(), 4, 3, 4});
    EXPECT_EQ(shown.left, part.left);
    EXPECT_EQ(shown.top, part.top);
    EXPECT_EQ(shown.right, part.right);
    EXPECT_EQ(shown.bottom, part.bottom);
    EXPECT_FALSE(shown.empty());
    for (std::int64_t i = 0; i < 12; ++i) {
      const std::int64_t at_x = x + i % 4, at_y = y + i / 4;
      const bool within = at_x >= part.left && at_x < part.right && at_y >= part.top && at_y < part.bottom;
      EXPECT_EQ(pixels[static_cast<std::size_t>(i)], (within ? Rgb{1, 2, 3} : kWhite)) << at_x << "," << at_y;
    }
  }
  for (const auto& [x, y] : {std::pair{-4, 0}, {0, -3}, {10, 0}, {0, 5}, {-500, 900}}) {
    std::vector<Rgb> pixels(12, Rgb{1, 2, 3});
    EXPECT_TRUE(shown_part(10, 5, x, y, {pixels.data(), 4, 3, 4}).empty()) << x << "," << y;
    EXPECT_EQ(pixels, std::vector<Rgb>(12, kWhite)) << x << "," << y;
  }
}

}  // namespace
}  // namespace starpath::io
