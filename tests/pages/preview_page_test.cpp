// The page of a preview: what its data say of what was found.
#include "pages/preview/preview_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "pipelines/segmentation/parameter_table.hpp"
#include "tests/apps/page_data.hpp"

namespace starpath::pages {
namespace {

/// A preview of one field of a slide of 1024 x 512 level-0 pixels, worked on at half of that: 12 nuclei as given, and a
/// second variant that was refused.
struct MadeUp : SlidePreview {
  explicit MadeUp(io::MppSource source) : SlidePreview({.slide = "synthetic:1024x512,seed=1,mpp=0.25"}) {
    request.variants = {{"as given", {}}, {"G1=30", {}}};
    request.resolution = {0.25, source, "made up"};
    request.fields = 1;
    origins.clear();
    PreviewField field{{0, 0, 64, 32}, std::vector<Rgb>(64 * 32, Rgb{200, 150, 210}), {}};
    field.variants = {{"", 12, 80, "M1 2"}, {"G1 must not be below G2", 0, 0, ""}};
    found.fields = {field};
    overview = {{0, 0, 512, 256}, 8, 64, 32, std::vector<Rgb>(64 * 32)};
    for (const ParameterRow& row : parameter_table()) origins.push_back(row.name == "split_um" ? "--set" : "default");
  }
  const SlidePreview& facts() const { return *this; }
};

TEST(PreviewPage, PlacesAreInPixelsOfTheSlideAndAreasInMicrometres) {
  const MadeUp preview(io::MppSource::said);
  const nlohmann::json field = summary_of(preview.facts(), "page.html", 1).at("fields").at(0);
  EXPECT_EQ(field.at("width"), 128) << "64 working pixels of two level-0 pixels";
  EXPECT_EQ(field.at("variants").at(0),
            nlohmann::json(
                {{"label", "as given"}, {"nuclei", 12}, {"median_area_px", 80.0}, {"median_area_um2", 80 * 0.25}}));
  EXPECT_EQ(field.at("variants").at(1), nlohmann::json({{"label", "G1=30"}, {"refused", "G1 must not be below G2"}}));
}

TEST(PreviewPage, WithoutAResolutionThereAreNoMicrometres) {
  const MadeUp preview(io::MppSource::unknown);
  const nlohmann::json data = test::page_data(page_of(preview.facts()));
  EXPECT_EQ(data.at("pixel_um2"), 0);
  EXPECT_FALSE(data.at("fields").at(0).at("variants").at(0).contains("median_area_um2"));
  EXPECT_EQ(data.at("fields").at(0).at("mark").at("width"), 8) << "64 working pixels, 8 to a pixel of the overview";
}

TEST(PreviewPage, EveryParameterSaysWhereItsValueComesFrom) {
  MadeUp preview(io::MppSource::said);
  const auto origin = [&](const char* name) {
    const nlohmann::json all = summary_of(preview.facts(), "page.html", 1).at("parameters");
    const auto row = std::ranges::find_if(all, [&](const nlohmann::json& each) { return each.at("name") == name; });
    return row->at("origin").get<std::string>();
  };
  EXPECT_EQ(origin("split_um"), "--set");
  EXPECT_EQ(origin("opening_um"), "default");
  EXPECT_EQ(origin("G1"), "fixed") << "no survey";
  preview.found.survey = Survey{};
  EXPECT_EQ(origin("G1"), "survey");
  preview.request.parameters.seed_level = 70;
  EXPECT_EQ(origin("G1"), "default") << "as the caller says";
}

TEST(PreviewPage, WarnsOfDoubtAndOfNothingFound) {
  MadeUp preview(io::MppSource::said);
  EXPECT_TRUE(warnings_of(preview.facts()).empty());
  preview.found.survey = Survey{};
  preview.found.survey->warnings = {"pale"};
  preview.found.fields[0].variants[0].count = 0;
  const std::vector<std::string> warnings = warnings_of(preview.facts());
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "pale");
  EXPECT_NE(warnings[1].find("No nucleus in any field"), std::string::npos);
}

}  // namespace
}  // namespace starpath::pages
