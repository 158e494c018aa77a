// What a survey derives from its counts.
#include <gtest/gtest.h>

#include <memory>

#include "base/error.hpp"
#include "pipelines/survey/derive.hpp"
#include "tests/pipelines/stain_mixture.hpp"

namespace starpath {
namespace {

using test::mixture;

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

}  // namespace
}  // namespace starpath
