// What a survey derives from its counts, and which fields it counts, without StarPU.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "pipelines/survey/derive.hpp"
#include "pipelines/survey/levels.hpp"
#include "pipelines/survey/probes.hpp"
#include "pipelines/survey/stains.hpp"

namespace starpath {
namespace {

using Histogram = std::array<std::int64_t, 256>;

TEST(SurveyLevels, SplitLiesBetweenTwoClasses) {
  Histogram histogram{};
  histogram[3] = 60, histogram[5] = 30, histogram[70] = 10;
  const Split split = split_in_two(histogram);
  EXPECT_EQ(split.level, 5) << "the highest value of the lower class";
  EXPECT_EQ(split.separation, 99);
  EXPECT_EQ(levels_of({40, 80}), (Levels{40, 28}));
}

TEST(SurveyLevels, OneValueDoesNotSplit) {
  Histogram histogram{};
  EXPECT_EQ(split_in_two(histogram).level, 0);
  histogram[17] = 1000;
  EXPECT_EQ(split_in_two(histogram).level, 0);
  EXPECT_EQ(split_in_two(histogram).separation, 0);
}

/// Pixels whose densities are mixtures of two stains, evenly from one to the other.
Directions mixture(const std::array<int, 3>& a, const std::array<int, 3>& b, std::int64_t each) {
  Directions directions{};
  for (int i = 0; i <= 1000; ++i) {
    std::array<double, 3> d{};
    for (std::size_t c = 0; c < 3; ++c) d[c] = i / 1000.0 * a[c] + (1 - i / 1000.0) * b[c];
    const double sum = d[0] + d[1] + d[2];
    directions[static_cast<std::size_t>(kDirectionSteps * d[0] / sum)]
              [static_cast<std::size_t>(kDirectionSteps * d[1] / sum)] += each;
  }
  return directions;
}

TEST(SurveyStains, AreFoundInTheirMixtures) {
  const StainVectors truth{{560, 720, 410}, {220, 850, 480}};
  const auto found = estimate_stains(mixture(truth.haematoxylin, truth.eosin, 100));
  ASSERT_TRUE(found.has_value());
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(found->haematoxylin[c], truth.haematoxylin[c], 15) << c;
    EXPECT_NEAR(found->eosin[c], truth.eosin[c], 15) << c;
  }
  EXPECT_FALSE(estimate_stains(mixture(truth.haematoxylin, truth.eosin, 1)).has_value()) << "too few pixels";
}

TEST(SurveyStains, SharesOfDirections) {
  EXPECT_GT(share_directions(mixture({27, 57, 78}, {27, 57, 78}, 1)).brown, 95);
  EXPECT_GT(share_directions(mixture({50, 50, 50}, {50, 50, 50}, 1)).neutral, 95);
  const DirectionShares he = share_directions(mixture({560, 720, 410}, {220, 850, 480}, 1));
  EXPECT_LT(he.brown + he.neutral + he.foreign, 5);
  EXPECT_GT(share_directions(mixture(kDefaultStains.haematoxylin, kDefaultStains.haematoxylin, 1)).haematoxylin, 95);
  EXPECT_GT(share_directions(mixture({31, 24, 45}, {31, 24, 45}, 1)).foreign, 95) << "haematoxylin and eosin inverted";
  EXPECT_EQ(share_directions({}).pixels, 0);
}

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

/// A field with so many pixels of each class.
struct FieldMaker {
  std::unique_ptr<SurveyCounts> counts = std::make_unique<SurveyCounts>();

  FieldMaker& add(SurveyClass what, std::uint32_t pixels) {
    counts->pixels[static_cast<std::size_t>(what)] += pixels;
    return *this;
  }
  FieldMaker& tissue(std::uint32_t pixels, std::uint8_t difference, Rgb colour) {
    add(SurveyClass::tissue, pixels);
    counts->difference[difference] += pixels;
    counts->colour[0][difference] += pixels * colour.r;
    counts->colour[1][difference] += pixels * colour.g;
    counts->colour[2][difference] += pixels * colour.b;
    return *this;
  }
  FieldMaker& stained(const std::array<int, 3>& a, const std::array<int, 3>& b) {
    const Directions directions = mixture(a, b, 100);
    for (std::size_t r = 0; r < directions.size(); ++r)
      for (std::size_t g = 0; g < directions.size(); ++g)
        counts->directions[r][g] += static_cast<std::uint32_t>(directions[r][g]);
    return *this;
  }
};

/// Pixels above G2 with this much haematoxylin, in steps.
StainAmountCounts amounts_at(std::initializer_list<std::pair<int, std::int64_t>> steps) {
  StainAmountCounts counts{};
  counts[1][3] = 1'000'000;  // below G2
  for (const auto& [step, pixels] : steps) counts[20][static_cast<std::size_t>(step)] = pixels;
  return counts;
}

TEST(Levels, HaematoxylinPartsNucleiFromFibresWhereThereAreBoth) {
  EXPECT_EQ(haematoxylin_level(amounts_at({{10, 5000}, {40, 5000}}), 30), 11 * kAmountStep / 2);
  EXPECT_EQ(haematoxylin_level(amounts_at({{30, 5000}, {40, 5000}}), 30), 0) << "pale and dark nuclei";
  EXPECT_EQ(haematoxylin_level(amounts_at({{10, 200}, {40, 5000}}), 30), 0) << "hardly any fibres";
  EXPECT_EQ(haematoxylin_level(amounts_at({{10, 5000}, {40, 200}}), 30), 0) << "hardly any nuclei";
  EXPECT_EQ(haematoxylin_level(amounts_at({{40, 5000}}), 30), 0);
  EXPECT_EQ(haematoxylin_level(amounts_at({}), 30), 0);
}

constexpr Rgb kStroma{200, 130, 180}, kNucleus{100, 60, 130};
constexpr std::array<int, 3> kH = {560, 720, 410}, kE = {220, 850, 480};

FieldMaker good_field() {
  FieldMaker field;
  field.tissue(180'000, 2, kStroma).tissue(20'000, 60, kNucleus).stained(kH, kE).add(SurveyClass::glass, 62'144);
  return field;
}

Survey surveyed(const std::vector<FieldMaker>& fields) {
  std::vector<SurveyCounts> counts;
  for (const FieldMaker& field : fields) counts.push_back(*field.counts);
  return derive_survey({100, Rgb{240, 240, 240}, 0, {{0, 512}, {1024, 0}}}, counts);
}

std::vector<FieldMaker> list(FieldMaker&& a) {
  std::vector<FieldMaker> fields;
  fields.push_back(std::move(a));
  return fields;
}

TEST(Survey, TakesLevelsAndStainsFromTissueWithNuclei) {
  const Survey survey = surveyed(list(good_field()));
  EXPECT_TRUE(survey.warnings.empty()) << survey.warnings[0];
  EXPECT_TRUE(survey.levels_found);
  EXPECT_EQ(survey.otsu, 2);
  EXPECT_TRUE(survey.stains_found);
  EXPECT_NEAR(survey.stains.haematoxylin[0], kH[0], 15);
  EXPECT_EQ(survey.background_level(), 216);
  EXPECT_EQ(survey.fields_nuclei, 1);
  EXPECT_EQ(survey.stains_of, 1);
  EXPECT_EQ(survey.stains_agree, 1);
  EXPECT_EQ(survey.stain_confidence(), 50) << "one field alone";
  EXPECT_GT(survey.haematoxylin_strength, survey.eosin_strength);
  EXPECT_GT(survey.eosin_strength, 0);
  EXPECT_EQ(survey_from_json(to_json(survey)), survey);
}

TEST(Survey, SaysHowManyFieldsAgreeOnTheStains) {
  std::vector<FieldMaker> fields;
  for (int i = 0; i < 8; ++i) fields.push_back(good_field());
  FieldMaker other;
  other.tissue(180'000, 2, kStroma).tissue(20'000, 60, kNucleus).stained({700, 600, 300}, {690, 610, 310});
  fields.push_back(std::move(other));
  const Survey survey = surveyed(fields);
  EXPECT_EQ(survey.stains_of, 9);
  EXPECT_EQ(survey.stains_agree, 8);
  EXPECT_EQ(survey.stain_confidence(), 80);
}

TEST(Survey, UnsureStainsAreToldOnce) {
  FieldMaker pale;  // nuclei, but nothing dense enough to have a direction
  pale.tissue(180'000, 2, kStroma).tissue(20'000, 60, kNucleus);
  const Survey survey = surveyed(list(std::move(pale)));
  EXPECT_TRUE(survey.levels_found);
  EXPECT_FALSE(survey.stains_found);
  EXPECT_EQ(survey.stain_confidence(), 0);
  ASSERT_EQ(survey.warnings.size(), 1u);
  EXPECT_NE(survey.warnings[0].find("stains are unsure"), std::string::npos);
}

TEST(Survey, SpoiltFieldsDecideNothing) {
  auto fields = list(good_field());
  const Survey alone = surveyed(fields);
  FieldMaker marked;
  marked.tissue(50'000, 120, {60, 60, 60}).add(SurveyClass::pen, 100'000);
  fields.push_back(std::move(marked));
  const Survey both = surveyed(fields);
  EXPECT_EQ(both.levels, alone.levels);
  EXPECT_EQ(both.fields_spoilt, 1);
  EXPECT_TRUE(both.warnings.empty());
}

/// That nothing is taken from these fields, and that one line says why.
void expect_defaults(const Survey& survey, const std::string& why) {
  EXPECT_EQ(survey.levels, Levels{});
  EXPECT_FALSE(survey.levels_found);
  EXPECT_EQ(survey.stains, kDefaultStains);
  ASSERT_EQ(survey.warnings.size(), 1u);
  EXPECT_NE(survey.warnings[0].find(why), std::string::npos) << survey.warnings[0];
  EXPECT_EQ(survey_from_json(to_json(survey)), survey);
}

TEST(Survey, KeepsTheDefaultsAndSaysWhy) {
  const auto field = [](SurveyClass what) {
    FieldMaker made;
    made.add(what, 262'144);
    return list(std::move(made));
  };
  expect_defaults(surveyed(field(SurveyClass::glass)), "hardly any tissue");
  expect_defaults(surveyed(field(SurveyClass::dark)), "dark");
  expect_defaults(surveyed(field(SurveyClass::pen)), "ink");
  expect_defaults(surveyed({}), "hardly any tissue");
  FieldMaker even;
  even.tissue(200'000, 2, kStroma).tissue(50'000, 30, {185, 120, 170}).stained(kH, kE);
  expect_defaults(surveyed(list(std::move(even))), "nothing in the sample looks like nuclei");
  FieldMaker rare;
  rare.tissue(200'000, 2, kStroma).tissue(900, 60, kNucleus).stained(kH, kE);
  expect_defaults(surveyed(list(std::move(rare))), "nothing in the sample looks like nuclei");
  EXPECT_EQ(derive_survey({5, {}, 5, {}}, {}).warnings.at(0).find("no field could be read"), 0u);
}

TEST(Survey, StrangeColoursKeepTheDefaultStains) {
  FieldMaker brown, grey;
  brown.tissue(180'000, 2, kStroma).tissue(20'000, 60, kNucleus).stained({27, 57, 78}, {27, 57, 78});
  grey.tissue(180'000, 2, kStroma).tissue(20'000, 60, kNucleus).stained({50, 50, 50}, {50, 50, 50});
  for (const auto& [made, words] : {std::pair{&brown, "brown"}, {&grey, "no colour"}}) {
    const Survey survey = derive_survey({1, {}, 0, {}}, std::span(made->counts.get(), 1));
    EXPECT_TRUE(survey.levels_found);
    EXPECT_FALSE(survey.stains_found);
    ASSERT_EQ(survey.warnings.size(), 1u);
    EXPECT_NE(survey.warnings[0].find(words), std::string::npos) << survey.warnings[0];
  }
}

TEST(Survey, DamagedTextIsRefused) {
  for (const std::string text : {"", "{}", "{\"format\":99}", "[1,2]"}) EXPECT_THROW(survey_from_json(text), Error);
}

TEST(Survey, NumbersThatMakeNoSenseAreRefused) {
  const std::string good = to_json(Survey{});
  for (const auto& [was, is] :
       {std::pair{"\"glass\":[0", "\"glass\":[22222222222222222222222"},  // too long for 64 bits
        {"\"otsu\":0", "\"otsu\":1e300"},
        {"\"surveyed\":0", "\"surveyed\":0.5"},
        {"\"fields_asked\":0", "\"fields_asked\":-1"},
        {"\"fields_agree\":0", "\"fields_agree\":3"}}) {
    std::string changed = good;
    ASSERT_NE(changed.find(was), std::string::npos) << was;
    changed.replace(changed.find(was), std::string(was).size(), is);
    EXPECT_THROW(survey_from_json(changed), Error) << is;
  }
}

TEST(StainInverse, OfTheDefaultStainsHasTheBitsOfTheTable) {
  EXPECT_EQ(stain_inverse(kDefaultStains), kStainInverse);
  EXPECT_EQ(stain_amounts(kDefaultStains), kStainAmountTable);
  EXPECT_NE(stain_amounts({kH, kE}), kStainAmountTable);
}

}  // namespace
}  // namespace starpath
