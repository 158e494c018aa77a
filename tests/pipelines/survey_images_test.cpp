// Surveys of images that are no slide of haematoxylin and eosin, or hardly one: a sensible result or one clear warning.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/slides/slide.hpp"
#include "support/images.hpp"
#include "tests/pipelines/survey_image.hpp"

namespace starpath {
namespace {

using support::Image;
using support::Rng;

constexpr int kSide = 600;
constexpr Rgb kGlass{240, 239, 241};

/// One colour with the noise of a camera.
Image<Rgb> even(Rgb colour, unsigned noise = 5) {
  Rng rng(3);
  Image<Rgb> image(kSide, kSide);
  const auto near = [&](int v) {
    return static_cast<std::uint8_t>(
        std::clamp(v + static_cast<int>(rng() % noise) - static_cast<int>(noise / 2), 0, 255));
  };
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) image.at(x, y) = {near(colour.r), near(colour.g), near(colour.b)};
  return image;
}

void draw_disc(Image<Rgb>& image, int cx, int cy, int radius, Rgb colour) {
  for (int y = std::max(0, cy - radius); y < std::min(kSide, cy + radius + 1); ++y)
    for (int x = std::max(0, cx - radius); x < std::min(kSide, cx + radius + 1); ++x)
      if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= radius * radius) image.at(x, y) = colour;
}

/// A disc of the size of a nucleus every 30 pixels.
Image<Rgb> with_nuclei(Image<Rgb> image, Rgb colour) {
  for (int y = 15; y < kSide; y += 30)
    for (int x = 15; x < kSide; x += 30) draw_disc(image, x, y, 6, colour);
  return image;
}

Survey survey_of(const Image<Rgb>& image) { return survey_image(image.view(), {}); }

void expect_defaults(const Image<Rgb>& image, const std::string& words) {
  const Survey survey = survey_of(image);
  EXPECT_EQ(survey.levels, Levels{});
  EXPECT_EQ(survey.stains, kDefaultStains);
  ASSERT_EQ(survey.warnings.size(), 1u) << words;
  EXPECT_NE(survey.warnings[0].find(words), std::string::npos) << survey.warnings[0];
}

TEST(SurveyImages, TissueWithNuclei) {
  const auto slide = io::open_slide("synthetic:900x900,seed=1");
  Image<Rgb> image(900, 900);
  slide->read(0, 0, 0, image.view());
  const Survey survey = survey_of(image);
  EXPECT_TRUE(survey.levels_found);
  EXPECT_TRUE(survey.stains_found);
  EXPECT_TRUE(survey.warnings.empty()) << survey.warnings[0];
}

TEST(SurveyImages, PaleTissueGetsLowerLevels) {
  const Survey strong = survey_of(with_nuclei(even({200, 150, 190}), {80, 50, 120}));
  const Survey pale = survey_of(with_nuclei(even({215, 180, 210}), {170, 130, 185}));
  ASSERT_TRUE(strong.levels_found && pale.levels_found);
  EXPECT_LT(pale.levels.seed, 45);
  EXPECT_LT(pale.levels.seed, strong.levels.seed + 1);
  EXPECT_GT(strong.levels.seed, 0);
}

TEST(SurveyImages, FibresBesideGapsAreToldFromNuclei) {
  constexpr Rgb kFibre{185, 115, 170}, kDark{80, 50, 120};
  Image<Rgb> gaps = even(kGlass);
  for (int y = 0; y < kSide; ++y)
    if (y % 20 < 9)
      for (int x = 0; x < kSide; ++x) gaps.at(x, y) = kFibre;
  const Survey survey = survey_of(with_nuclei(gaps, kDark));
  ASSERT_TRUE(survey.levels_found);
  EXPECT_GT(survey.levels.haematoxylin, 0);
  EXPECT_LT(survey.levels.haematoxylin * 65536, haematoxylin_amount(kDark));
  const Survey without_gaps = survey_of(with_nuclei(even({200, 150, 190}), kDark));
  EXPECT_LT(without_gaps.levels.haematoxylin * 65536, haematoxylin_amount(kDark) / 4) << "no nucleus is touched";
}

TEST(SurveyImages, OfWhatIsNoTissueSayWhy) {
  expect_defaults(even(kGlass), "hardly any tissue");
  expect_defaults(even({4, 4, 4}), "dark");
  expect_defaults(with_nuclei(even({6, 5, 20}), {30, 40, 220}), "dark");  // fluorescence
  Image<Rgb> one = even(kGlass);
  draw_disc(one, 300, 300, 9, {90, 60, 140});
  expect_defaults(one, "hardly any tissue");
  Image<Rgb> ink = even(kGlass);
  for (int y = 200; y < 260; ++y)
    for (int x = 0; x < kSide; ++x) ink.at(x, y) = {30, 70, 160};
  expect_defaults(ink, "ink");
}

TEST(SurveyImages, TissueWithoutNucleiKeepsTheDefaults) {
  expect_defaults(even({210, 140, 185}, 25), "nothing in the sample looks like nuclei");
}

TEST(SurveyImages, OtherColoursAreSaid) {
  Image<Rgb> dab = with_nuclei(even({190, 160, 120}), {110, 70, 35});
  draw_disc(dab, 500, 500, 40, {90, 70, 140});
  for (const auto& [image, words] :
       {std::pair{with_nuclei(even({190, 190, 190}), {90, 90, 90}), "no colour"},
        std::pair{dab, "brown, beside haematoxylin, as in immunohistochemistry"},
        std::pair{with_nuclei(even({190, 160, 120}), {110, 70, 35}), "nothing has haematoxylin's colour"},
        std::pair{with_nuclei(even({170, 190, 140}), {120, 140, 60}), "hardly absorbs green"}}) {
    const Survey survey = survey_of(image);
    EXPECT_TRUE(survey.levels_found) << "nuclei are dark in red light all the same";
    EXPECT_EQ(survey.stains, kDefaultStains);
    ASSERT_EQ(survey.warnings.size(), 1u) << words;
    EXPECT_NE(survey.warnings[0].find(words), std::string::npos) << survey.warnings[0];
  }
}

TEST(SurveyImages, NucleiOfHalfTheDensityAreFoundAndSaidToBePale) {
  const Survey survey = survey_of(with_nuclei(even({225, 195, 220}), {190, 155, 205}));
  EXPECT_TRUE(survey.levels_found);
  EXPECT_LT(survey.levels.seed, 40);
  ASSERT_FALSE(survey.warnings.empty());
  EXPECT_NE(survey.warnings[0].find("is pale"), std::string::npos) << survey.warnings[0];
}

TEST(SurveyImages, DarkGroundsAndNoiseGiveNoLevels) {
  // A section inverted: pale nuclei, and noise on the dark between them.
  Image<Rgb> inverted = even({95, 120, 63}, 2);
  for (int y = 20; y < kSide; y += 40)
    for (int x = 20; x < kSide; x += 40) draw_disc(inverted, x, y, 7, {130, 150, 90});
  expect_defaults(inverted, "no more than noise does");
  expect_defaults(with_nuclei(even({60, 50, 130}), {20, 15, 60}), "the ground is dark");
}

TEST(SurveyImages, ABlackMarkBesideTissueChangesNothing) {
  const Image<Rgb> tissue = with_nuclei(even({200, 150, 190}), {80, 50, 120});
  Image<Rgb> marked = tissue;
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < kSide; ++x) marked.at(x, y) = {25, 25, 28};
  const Survey without = survey_of(tissue), with = survey_of(marked);
  ASSERT_TRUE(without.levels_found && with.levels_found);
  EXPECT_NEAR(with.levels.seed, without.levels.seed, 2);
  EXPECT_LT(with.tissue, without.tissue);
}

}  // namespace
}  // namespace starpath
