// Parameters: micrometres become pixels of the working grid.
#include "pipelines/segmentation/parameters.hpp"

#include <gtest/gtest.h>

#include "codelets/kernels/morph_open.hpp"

namespace starpath {
namespace {

TEST(Parameters, OfThePapersAreThosePixelsAtHalfAMicrometre) {
  EXPECT_EQ(pixel_parameters(SegmentationParameters{}, kFixedLevels, 0.5), kPaperPixels);
}

TEST(Parameters, ScaleWithTheGrid) {
  const PixelParameters fine = pixel_parameters({}, kFixedLevels, 0.25);
  EXPECT_EQ(fine.opening_reach, 18);
  EXPECT_EQ(fine.reconstruction_steps, 384);
  EXPECT_EQ(fine.nucleus_min_area, 84);
  EXPECT_EQ(fine.split_depth, 512);
  EXPECT_EQ(fine.seed_level, 80);
  const PixelParameters coarse = pixel_parameters({}, kFixedLevels, 1);
  EXPECT_EQ(coarse.opening_reach, 5);
  EXPECT_EQ(coarse.reconstruction_steps, 96);
  EXPECT_EQ(coarse.nucleus_max_area, 250);
  EXPECT_EQ(coarse.split_depth, 128);
}

TEST(Parameters, LevelsOfTheUserComeBeforeThoseOfTheSlide) {
  const StainLevels slide{230, 60, 30};
  PixelParameters pixels = pixel_parameters({}, slide, 0.5);
  EXPECT_EQ(pixels.background_level, 230);
  EXPECT_EQ(pixels.seed_level, 60);
  EXPECT_EQ(pixels.nucleus_level, 30);
  SegmentationParameters said;
  said.seed_level = 99;
  pixels = pixel_parameters(said, slide, 0.5);
  EXPECT_EQ(pixels.background_level, 230);
  EXPECT_EQ(pixels.seed_level, 99);
  EXPECT_EQ(pixels.nucleus_level, 30);
}

TEST(Parameters, StayInWhatKernelsTake) {
  SegmentationParameters wide;
  wide.opening_um = 1000;
  EXPECT_EQ(pixel_parameters(wide, kFixedLevels, 0.25).opening_reach, kMaxOpeningReach);
  wide.opening_um = 0.1;
  EXPECT_EQ(pixel_parameters(wide, kFixedLevels, 1).opening_reach, 1);
}

}  // namespace
}  // namespace starpath
