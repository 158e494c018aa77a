// Which fields a survey counts.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "pipelines/survey/probes.hpp"
#include "pipelines/survey/stain_look.hpp"

namespace starpath {
namespace {

std::vector<std::size_t> all_of(const std::vector<Tile>& fields) {
  std::vector<std::size_t> all(fields.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(SurveyFields, LieOnTheSlidesGridWhateverTheRegion) {
  const auto fields = survey_fields(5000, 3000, {1000, 600, 2000, 1000});
  ASSERT_FALSE(fields.empty());
  EXPECT_EQ(fields[0].core, (Rect{1000, 600, 24, 424})) << "field (1, 1), cut";
  EXPECT_EQ(fields[0].index, 11);
  EXPECT_EQ(fields[0].region, (Rect{936, 536, 152, 552}));
}

TEST(SurveyFields, AreSpreadOverTheSlide) {
  const auto fields = survey_fields(64 * 512, 64 * 512, {});
  const auto chosen = spread_evenly(fields, all_of(fields), 16);
  ASSERT_EQ(chosen.size(), 16u);
  std::array<int, 16> in_block{};
  for (const std::size_t field : chosen)
    ++in_block[static_cast<std::size_t>(fields[field].core.y / 8192 * 4 + fields[field].core.x / 8192)];
  for (const int count : in_block) EXPECT_EQ(count, 1);
  EXPECT_EQ(spread_evenly(fields, {5, 9}, 16), (std::vector<std::size_t>{5, 9}));
}

TEST(SurveyFields, AFirstLookReadsTheCoarsestLevelThatShowsFields) {
  const auto fields = survey_fields(30000, 20000, {});
  const std::vector<io::SlideLevel> pyramid = {{60000, 40000, 1}, {15000, 10000, 4}, {1875, 1250, 32}, {468, 312, 128}};
  const ProbePlan plan = plan_probes(fields, pyramid, 2);
  EXPECT_EQ(plan.level, 2) << "at level 3 a field has 8 pixels";
  EXPECT_EQ(plan.patches.size(), fields.size());
  EXPECT_EQ(plan.patches[0].side, 32);
  const ProbePlan flat = plan_probes(fields, {{60000, 40000, 1}}, 2);
  EXPECT_EQ(flat.level, 0);
  EXPECT_EQ(flat.patches.size(), 1024u) << "to read from each field would take long";
  for (const auto& patch : flat.patches) {
    const Rect& core = fields[patch.field].core;
    EXPECT_GE(patch.x, 2 * core.x);
    EXPECT_LE(patch.x + patch.side, 2 * core.right() + 1);
  }
}

Probe patch(std::size_t field, Rgb colour) { return {field, std::vector<Rgb>(100, colour)}; }

TEST(SurveyFields, WhiteIsThatOfEvenBrightPatches) {
  EXPECT_FALSE(find_white(std::vector<Probe>{patch(0, {200, 120, 170})}).has_value());
  Probe uneven = patch(0, {235, 232, 236});
  for (std::size_t i = 0; i < 20; ++i) uneven.pixels[i] = {200, 190, 200};
  EXPECT_FALSE(find_white(std::vector<Probe>{uneven}).has_value());
  EXPECT_EQ(find_white(std::vector<Probe>{uneven, patch(1, {230, 228, 231}), patch(2, {255, 255, 255})}),
            (Rgb{230, 228, 231}))
      << "what is exactly white was not scanned";
  EXPECT_EQ(find_white(std::vector<Probe>{patch(2, {255, 255, 255})}), (Rgb{255, 255, 255}));
}

TEST(SurveyFields, OfTissueAreChosenBeforeGlassAndInk) {
  const auto fields = survey_fields(20 * 512, 20 * 512, {});
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Rgb colour = i % 2 == 0 ? Rgb{240, 240, 240} : i % 4 == 1 ? Rgb{180, 110, 160} : Rgb{30, 70, 160};
    probes.push_back(patch(i, colour));
  }
  const auto chosen = choose_fields(fields, probes, kDefaultWhite);
  EXPECT_EQ(chosen.size(), kMostSurveyFields);
  for (const Tile& field : chosen) EXPECT_EQ(field.index % 4, 1);
}

TEST(SurveyFields, OfASampleReadNothingAroundThem) {
  const auto fields = survey_fields(20 * 512, 20 * 512, {});
  std::vector<Probe> probes;
  for (const std::size_t i : {0, 1, 21, 399}) probes.push_back(patch(i, {180, 110, 160}));
  const auto chosen = choose_fields(fields, probes, kDefaultWhite);
  ASSERT_EQ(chosen.size(), 4u);
  for (const Tile& field : chosen) EXPECT_EQ(field.region, fields[static_cast<std::size_t>(field.index)].core);
  EXPECT_EQ(chosen[0].core, (Rect{0, 0, 448, 448})) << "no margin at the slide's border";
  EXPECT_EQ(chosen[1].core, (Rect{576, 0, 384, 448}));
  EXPECT_EQ(chosen[2].core, (Rect{576, 576, 384, 384}));
  EXPECT_EQ(chosen[3].core, (Rect{19 * 512 + 64, 19 * 512 + 64, 448, 448}));
}

TEST(SurveyFields, TooNarrowForAMarginKeepTheOneAroundThem) {
  const auto fields = survey_fields(20 * 512 + 30, 20 * 512, {});
  const auto chosen = choose_fields(fields, std::vector{patch(20, {180, 110, 160})}, kDefaultWhite);
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(chosen[0].core, (Rect{20 * 512, 0, 30, 512}));
  EXPECT_EQ(chosen[0].region, fields[20].region);
}

TEST(SurveyFields, ASmallSlideIsCoveredWhole) {
  const auto fields = survey_fields(2000, 1500, {});
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < fields.size(); ++i) probes.push_back(patch(i, {240, 240, 240}));
  const auto chosen = choose_fields(fields, probes, kDefaultWhite);
  ASSERT_EQ(chosen.size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(chosen[i].core, fields[i].core);
    EXPECT_EQ(chosen[i].region, fields[i].region);
  }
}

}  // namespace
}  // namespace starpath
