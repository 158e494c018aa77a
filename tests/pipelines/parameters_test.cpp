// Parameters: micrometres become pixels of the working grid.
#include "pipelines/segmentation/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"
#include "pipelines/segmentation/parameter_table.hpp"

namespace starpath {
namespace {

TEST(Parameters, OfThePapersAreThosePixelsAtHalfAMicrometre) {
  EXPECT_EQ(pixel_parameters(parameter_preset("paper"), kFixedLevels, 0.5), kPaperPixels);
}

TEST(Parameters, ScaleWithTheGrid) {
  const PixelParameters fine = pixel_parameters({}, kFixedLevels, 0.25);
  EXPECT_EQ(fine.opening_reach, 24);
  EXPECT_EQ(fine.reconstruction_steps, 384);
  EXPECT_EQ(fine.nucleus_min_area, 120);
  EXPECT_EQ(fine.hole_max_area, 80);
  EXPECT_EQ(fine.local_reach, 24);
  EXPECT_EQ(fine.smooth_steps, 2);
  EXPECT_EQ(fine.split_depth, 256);
  EXPECT_EQ(fine.seed_level, 80);
  const PixelParameters coarse = pixel_parameters({}, kFixedLevels, 1);
  EXPECT_EQ(coarse.opening_reach, 6);
  EXPECT_EQ(coarse.reconstruction_steps, 96);
  EXPECT_EQ(coarse.nucleus_max_area, 250);
  EXPECT_EQ(coarse.split_depth, 64);
  EXPECT_EQ(coarse.seed_max_area, kAnyArea);
}

TEST(Parameters, LevelsOfTheUserComeBeforeThoseOfTheSlide) {
  const StainLevels slide{230, 60, 30, 0};
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
  wide.local_um = 1000;
  EXPECT_EQ(pixel_parameters(wide, kFixedLevels, 0.25).local_reach, kMaxLocalReach);
  wide.local_um = 0;
  EXPECT_EQ(pixel_parameters(wide, kFixedLevels, 0.25).local_weight, 0);
  wide.opening_um = 0.1;
  EXPECT_EQ(pixel_parameters(wide, kFixedLevels, 1).opening_reach, 1);
}

TEST(ParameterTable, NamesEveryParameterOnce) {
  std::set<std::string_view> names;
  for (const ParameterRow& row : parameter_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_LT(row.least, row.most) << row.name;
    EXPECT_FALSE(row.meaning.empty() || row.source.empty() || row.unit.empty()) << row.name;
  }
}

/// A parameter that the table lacks would differ here once another preset differs in it.
TEST(ParameterTable, HoldsAllThatTellsPresetsApart) {
  for (const ParameterPreset& preset : parameter_presets()) {
    SegmentationParameters copy;
    for (const ParameterRow& row : parameter_table()) set_parameter(copy, row.name, value_of(row, preset.parameters));
    EXPECT_EQ(copy, preset.parameters) << preset.name;
    check_parameters(preset.parameters, kFixedLevels);
  }
}

TEST(ParameterTable, ThePresetOfThePapersLeavesNothingToTheSlide) {
  const StainLevels other{1, 2, 3, 4};
  EXPECT_EQ(pixel_parameters(parameter_preset("paper"), other, 0.5), kPaperPixels);
}

TEST(ParameterTable, TakesNumbersTextsAndAuto) {
  SegmentationParameters parameters;
  set_parameter(parameters, "G1", "60");
  set_parameter(parameters, "min_area_um2", 10);
  EXPECT_EQ(parameters.seed_level, 60);
  EXPECT_EQ(parameters.min_area_um2, 10);
  set_parameter(parameters, "G1", "auto");
  EXPECT_EQ(parameters.seed_level, std::nullopt);
}

TEST(ParameterTable, TakesWhatIsInTheRangeOnly) {
  for (const ParameterRow& row : parameter_table()) {
    SegmentationParameters parameters;
    set_parameter(parameters, row.name, row.least);
    EXPECT_EQ(value_of(row, parameters), row.least);
    set_parameter(parameters, row.name, row.most);
    EXPECT_EQ(value_of(row, parameters), row.most);
    for (const double outside : {row.least - 1, row.most + 1, std::nan("")})
      EXPECT_THROW(set_parameter(parameters, row.name, outside), Error) << row.name << " " << outside;
    EXPECT_THROW(set_parameter(parameters, row.name, "much"), Error);
    EXPECT_THROW(set_parameter(parameters, row.name, "1e"), Error);
    EXPECT_EQ(value_of(row, parameters), row.most);
  }
}

TEST(ParameterTable, FindsContradictionsWithLevelsOfTheSlideToo) {
  SegmentationParameters parameters;
  check_parameters(parameters, {220, 45, 45, 0});
  EXPECT_THROW(check_parameters(parameters, {220, 44, 45, 0}), Error);
  parameters.seed_level = 30;
  EXPECT_THROW(check_parameters(parameters, kFixedLevels), Error);
  parameters.nucleus_level = 20;
  check_parameters(parameters, kFixedLevels);
  parameters.max_area_um2 = parameters.min_area_um2;
  EXPECT_THROW(check_parameters(parameters, kFixedLevels), Error);
}

}  // namespace
}  // namespace starpath
