// Resampling to the working resolution.
#include "io/slides/working_slide.hpp"

#include <random>

#include "slide_files.hpp"

namespace starpath::io::test {
namespace {

Picture read(const WorkingSlide& slide, std::int64_t x, std::int64_t y, int width, int height) {
  return read_with(width, height, [&](View<Rgb> out) { slide.read(x, y, out); });
}

Picture grays(int width, int height, const std::vector<int>& values) {
  Picture picture(width, height);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto v = static_cast<std::uint8_t>(values[i]);
    picture.pixels[i] = {v, v, v};
  }
  return picture;
}

TEST(WorkingSlide, TakesPixelsAsTheyAreWithinOnePercent) {
  const Picture picture = pattern(40, 30);
  for (const double mpp : {0.5, 0.499, 0.5049, 0.0}) {
    const PictureSlide slide({picture}, mpp);
    const WorkingSlide working(slide, 0.5, 0);
    EXPECT_EQ(working.scale(), 1);
    EXPECT_EQ(working.mpp(), mpp);
    EXPECT_EQ(working.width(), 40);
    EXPECT_EQ(working.height(), 30);
    EXPECT_EQ(read(working, -3, -4, 50, 40), crop(picture, -3, -4, 50, 40));
  }
}

TEST(WorkingSlide, AveragesWholePixels) {
  const PictureSlide slide({grays(4, 2, {10, 20, 0, 255, 30, 41, 0, 255})}, 0.25);
  const WorkingSlide working(slide, 0.5, 0);
  EXPECT_EQ(working.width(), 2);
  EXPECT_EQ(working.height(), 1);
  EXPECT_EQ(read(working, 0, 0, 2, 1), grays(2, 1, {25, 128}));  // 25.25 and 127.5
}

TEST(WorkingSlide, WeighsPartsOfPixels) {
  // 1.5 source pixels each: (10 + 20/2) / 1.5 and (20/2 + 90) / 1.5, the same down the columns.
  const PictureSlide slide({grays(3, 3, {10, 20, 90, 10, 20, 90, 10, 20, 90})}, 0.4);
  const WorkingSlide working(slide, 0.6, 0);
  EXPECT_EQ(read(working, 0, 0, 2, 2), grays(2, 2, {13, 67, 13, 67}));
}

TEST(WorkingSlide, InterpolatesBetweenPixelCentres) {
  // Twice as fine: centres at -1/4 (outermost pixel goes on), 1/4, 3/4, 5/4.
  const PictureSlide slide({grays(2, 1, {0, 200})}, 1.0);
  const WorkingSlide working(slide, 0.5, 0);
  EXPECT_EQ(working.width(), 4);
  EXPECT_EQ(working.height(), 2);
  EXPECT_EQ(read(working, 0, 0, 4, 2), grays(4, 2, {0, 50, 150, 200, 0, 50, 150, 200}));
}

TEST(WorkingSlide, PixelsDoNotDependOnTheCut) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const PictureSlide slide({pattern(300, 260, seed)}, 1.0);
  for (const double scale : {0.37, 0.5, 1.013, 1.7, 2.0, 3.3, 9.1}) {
    const WorkingSlide working(slide, scale, 0);
    const int width = static_cast<int>(working.width()), height = static_cast<int>(working.height());
    const Picture whole = read(working, 0, 0, width, height);
    for (int i = 0; i < 20; ++i) {
      const int x = static_cast<int>(random() % static_cast<unsigned>(width + 10)) - 5;
      const int y = static_cast<int>(random() % static_cast<unsigned>(height + 10)) - 5;
      const int w = 1 + static_cast<int>(random() % 60), h = 1 + static_cast<int>(random() % 60);
      EXPECT_EQ(read(working, x, y, w, h), crop(whole, x, y, w, h))
          << scale << ": " << x << "," << y << " " << w << "x" << h;
    }
  }
}

TEST(WorkingSlide, PixelsDoNotDependOnTheBandsOfTallRegions) {
  const PictureSlide slide({pattern(7, 4000)}, 1.0);
  const WorkingSlide working(slide, 1.4, 0);
  const int height = static_cast<int>(working.height());
  const Picture whole = read(working, 0, 0, 5, height);
  for (int y = 0; y < height; y += 97) EXPECT_EQ(read(working, 0, y, 5, 3), crop(whole, 0, y, 5, 3));
}

TEST(WorkingSlide, KeepsFlatColoursAndFillsOutsideWhite) {
  const PictureSlide slide({Picture(50, 50, {255, 0, 77})}, 1.0);
  for (const double target : {0.3, 1.9, 6.5}) {
    const WorkingSlide working(slide, target, 0);
    const Picture inside(static_cast<int>(working.width()), static_cast<int>(working.height()), {255, 0, 77});
    EXPECT_EQ(read(working, -2, -2, inside.width + 4, inside.height + 4),
              crop(inside, -2, -2, inside.width + 4, inside.height + 4));
    EXPECT_EQ(read(working, 1000, 5, 3, 3), Picture(3, 3, {255, 255, 255}));
  }
}

TEST(WorkingSlide, ReadsTheCoarsestLevelThatIsFineEnough) {
  const auto flat = [](int size, int colour) {
    return Picture(size, size, Rgb{static_cast<std::uint8_t>(colour), 0, 0});
  };
  const PictureSlide slide({flat(256, 10), flat(128, 20), flat(32, 40)}, 0.25);  // downsamples 1, 2, 8
  const auto red_at = [&](double target) { return +read(WorkingSlide(slide, target, 0), 3, 3, 1, 1).at(0, 0).r; };
  EXPECT_EQ(red_at(0.1), 10);
  EXPECT_EQ(red_at(0.25), 10);
  EXPECT_EQ(red_at(0.45), 10);
  EXPECT_EQ(red_at(0.5), 20);
  EXPECT_EQ(red_at(1.9), 20);
  EXPECT_EQ(red_at(2.0), 40);
  EXPECT_EQ(red_at(4.0), 40);
}

TEST(WorkingSlide, TakesALevelOfRoundedSizeAsTheWholeNumberItStandsFor) {
  const Picture fine = pattern(4003, 8), coarse = pattern(1000, 2);  // 4.003 in the file, 4 in truth
  const PictureSlide slide({fine, coarse}, 0.125);
  const WorkingSlide working(slide, 0.5, 0);
  EXPECT_EQ(working.scale(), 4);
  EXPECT_EQ(working.width(), 1000);
  EXPECT_EQ(read(working, 0, 0, 1000, 2), coarse);
}

TEST(WorkingSlide, OwnResolutionOverridesTheFile) {
  const PictureSlide slide({pattern(100, 100)}, 0.5);
  const WorkingSlide working(slide, 0.5, 0.25);
  EXPECT_EQ(working.scale(), 2);
  EXPECT_EQ(working.mpp(), 0.5);
  EXPECT_EQ(working.width(), 50);
}

TEST(WorkingSlide, RefusesSenselessScales) {
  const PictureSlide slide({pattern(10, 10)}, 0);
  for (const double mpp : {0.005, 20.0, 1e300, 1e-300}) {
    const std::string message = error_of(ErrorKind::usage, [&] { WorkingSlide(slide, 0.5, mpp); });
    EXPECT_NE(message.find("um/px"), std::string::npos) << message;
  }
  EXPECT_EQ(WorkingSlide(slide, 0.5, 8).width(), 160);
  EXPECT_EQ(WorkingSlide(slide, 0.5, 0.5 / 64).width(), 1);
}

}  // namespace
}  // namespace starpath::io::test
