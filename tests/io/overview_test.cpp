// A slide as a small picture.
#include "io/slides/overview.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace starpath::io {
namespace {

constexpr Rgb kFirst{200, 100, 50}, kSecond{20, 40, 60};

/// Of one level, whatever its size: the left half has one colour, the right half the other.
class TwoColours final : public Slide {
 public:
  TwoColours(std::int64_t width, std::int64_t height) { info_.levels = {{width, height, 1}}; }
  const SlideInfo& info() const override { return info_; }
  void read(int, std::int64_t x, std::int64_t, View<Rgb> out) const override {
    read_ += out.pixels();
    for (int row = 0; row < out.height; ++row)
      for (int column = 0; column < out.width; ++column)
        out.at(column, row) = x + column < info_.width() / 2 ? kFirst : kSecond;
  }
  std::int64_t pixels_read() const { return read_; }

 private:
  SlideInfo info_;
  mutable std::int64_t read_ = 0;
};

void expect_two_colours(const Overview& overview) {
  ASSERT_EQ(overview.pixels.size(), static_cast<std::size_t>(overview.width) * overview.height);
  for (const int y : {0, overview.height - 1}) {
    EXPECT_EQ(overview.view().at(0, y), kFirst);
    EXPECT_EQ(overview.view().at(overview.width - 1, y), kSecond);
  }
}

TEST(Overview, OfASmallSlideIsReduced) {
  const TwoColours slide(1200, 600);
  const WorkingSlide grid(slide, kDesignMpp, kDesignMpp);
  const Overview overview = read_overview(slide, grid, {0, 0, 1200, 600}, 300);
  EXPECT_EQ(overview.reduction, 4);
  EXPECT_EQ(overview.width, 300);
  EXPECT_EQ(overview.height, 150);
  expect_two_colours(overview);
}

TEST(Overview, OfAPartShowsThatPart) {
  const TwoColours slide(1200, 600);
  const WorkingSlide grid(slide, kDesignMpp, kDesignMpp);
  const Overview overview = read_overview(slide, grid, {600, 100, 200, 100}, 300);
  EXPECT_EQ(overview.reduction, 1) << "never enlarged";
  EXPECT_TRUE(std::ranges::all_of(overview.pixels, [](Rgb pixel) { return pixel == kSecond; }));
}

TEST(Overview, OfALargeSlideWithoutACoarseLevelReadsPatches) {
  const TwoColours slide(100'000, 60'000);
  const WorkingSlide grid(slide, kDesignMpp, kDesignMpp);
  const Overview overview = read_overview(slide, grid, {0, 0, 100'000, 60'000}, 900);
  expect_two_colours(overview);
  EXPECT_LT(slide.pixels_read(), 2'000'000);
  EXPECT_GT(overview.width, 20);
}

}  // namespace
}  // namespace starpath::io
