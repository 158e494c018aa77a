// Tests of the survey's counts: the reference by hand, the CPU kernel against the reference.
#include "codelets/kernels/survey.hpp"

#include <cmath>
#include <cstring>
#include <numeric>

#include "support/images.hpp"
#include "support/survey_images.hpp"

namespace starpath {
namespace {

using namespace support;

constexpr Rgb kLamp{240, 240, 240};
constexpr Rgb kNucleus{90, 60, 140}, kEosin{225, 130, 185}, kGlass{238, 236, 239}, kBlackInk{30, 30, 35},
    kBlueInk{30, 70, 160}, kGreenInk{30, 140, 70};

template <class Kernel>
SurveyCounts counted(Kernel kernel, const Image<Rgb>& rgb, const Image<std::uint8_t>& difference, SurveyCore core,
                     Rgb white) {
  SurveyCounts counts;
  std::memset(&counts, 7, sizeof counts);
  kernel(TestContext(), rgb.view(), difference.view(), core.x, core.y, core.width, core.height, white.r, white.g,
         white.b, &counts);
  return counts;
}

SurveyClass class_of(Rgb p, int difference = 0) {
  const auto density = [](int v, int white) { return density_below_white(kSurveyDensity, v, white); };
  return survey_class(p, difference, kLamp, density(p.r, kLamp.r), density(p.g, kLamp.g));
}

TEST(Survey, TellsTissueFromGlassInkAndTheDark) {
  EXPECT_EQ(class_of(kGlass), SurveyClass::glass);
  EXPECT_EQ(class_of(kNucleus), SurveyClass::tissue);
  EXPECT_EQ(class_of(kEosin), SurveyClass::tissue);
  EXPECT_EQ(class_of({120, 140, 190}), SurveyClass::tissue) << "a blue counterstain";
  EXPECT_EQ(class_of({130, 85, 50}), SurveyClass::tissue) << "brown of DAB";
  EXPECT_EQ(class_of(kBlackInk), SurveyClass::dark);
  EXPECT_EQ(class_of(kBlackInk, 60), SurveyClass::tissue) << "a dark nucleus among what is brighter";
  EXPECT_EQ(class_of(kBlueInk), SurveyClass::pen);
  EXPECT_EQ(class_of(kGreenInk), SurveyClass::pen);
}

TEST(Survey, DensityIsRelativeToWhite) {
  EXPECT_EQ(density_below_white(kSurveyDensity, 240, 240), 0);
  EXPECT_EQ(density_below_white(kSurveyDensity, 250, 240), 0);
  EXPECT_NEAR(density_below_white(kSurveyDensity, 23, 239), survey_density(1), 1) << "a tenth of the light";
}

TEST(Survey, CountsTheCoreOnly) {
  const Image<Rgb> rgb{{kNucleus, kNucleus, kNucleus, kNucleus},
                       {kNucleus, kGlass, kBlackInk, kNucleus},
                       {kNucleus, kBlueInk, kEosin, kNucleus},
                       {kNucleus, kNucleus, kNucleus, kNucleus}};
  Image<std::uint8_t> difference(4, 4);
  difference.at(2, 2) = 12;
  const SurveyCounts counts = counted(reference::survey, rgb, difference, {1, 1, 2, 2}, kLamp);
  EXPECT_EQ(counts.pixels, (std::array<std::uint32_t, 4>{1, 1, 1, 1}));
  EXPECT_EQ(counts.glass[gray_value(kGlass)], 1u);
  EXPECT_EQ(counts.difference[12], 1u);
  EXPECT_EQ(std::accumulate(counts.difference.begin(), counts.difference.end(), 0u), 1u);
  EXPECT_EQ(counts.colour[0][12], kEosin.r);
  EXPECT_EQ(counts.colour[1][12], kEosin.g);
  EXPECT_EQ(counts.colour[2][12], kEosin.b);
  EXPECT_EQ(counts.haematoxylin[stain_values(kEosin).haematoxylin], 1u);
}

TEST(Survey, OnlyStainedTissueHasADirection) {
  const Image<Rgb> rgb{{kNucleus, {220, 205, 215}}};
  const SurveyCounts counts = counted(reference::survey, rgb, Image<std::uint8_t>(2, 1), {0, 0, 2, 1}, kLamp);
  EXPECT_EQ(counts.pixels[static_cast<std::size_t>(SurveyClass::tissue)], 2u);
  const double red = std::log(241.0 / 91), green = std::log(241.0 / 61), sum = red + green + std::log(241.0 / 141);
  std::uint32_t directions = 0;
  for (std::size_t r = 0; r < kDirectionSteps; ++r)
    for (std::size_t g = 0; g < kDirectionSteps; ++g) {
      if (counts.directions[r][g] == 0) continue;
      directions += counts.directions[r][g];
      EXPECT_NEAR(static_cast<double>(r), kDirectionSteps * red / sum - 0.5, 0.7);
      EXPECT_NEAR(static_cast<double>(g), kDirectionSteps * green / sum - 0.5, 0.7);
    }
  EXPECT_EQ(directions, 1u);
}

TEST(Survey, CpuCountsAsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<Rgb> rgb = survey_noise(rng, width, height, padding);
    const auto difference = noise<std::uint8_t>(rng, width, height, padding, rng() % 2 != 0 ? 255 : 3);
    const SurveyCore core = random_core(rng, width, height);
    const Rgb white = random_white(rng);
    const SurveyCounts expected = counted(reference::survey, rgb, difference, core, white);
    const SurveyCounts actual = counted(cpu::survey, rgb, difference, core, white);
    EXPECT_EQ(std::memcmp(&expected, &actual, sizeof expected), 0);
    EXPECT_EQ(std::accumulate(actual.pixels.begin(), actual.pixels.end(), 0u),
              static_cast<unsigned>(core.width * core.height));
  });
}

}  // namespace
}  // namespace starpath
