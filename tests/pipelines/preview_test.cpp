// What a preview chooses to show, and what it finds in one field.
#include "pipelines/preview/preview.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "pipelines/preview/field_choice.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace starpath {
namespace {

io::Overview white_overview(int width, int height, double reduction) {
  io::Overview overview{
      {0, 0, static_cast<std::int64_t>(width * reduction), static_cast<std::int64_t>(height * reduction)},
      reduction,
      width,
      height,
      std::vector<Rgb>(static_cast<std::size_t>(width * height), Rgb{245, 245, 245})};
  return overview;
}

void paint(io::Overview& overview, const Rect& part, Rgb colour) {
  for (std::int64_t y = part.y; y < part.bottom(); ++y)
    for (std::int64_t x = part.x; x < part.right(); ++x)
      overview.view().at(static_cast<int>(x), static_cast<int>(y)) = colour;
}

TEST(PreviewFields, LieInTissueAndFarApart) {
  io::Overview overview = white_overview(80, 40, 64);  // 10 x 5 fields
  paint(overview, {0, 0, 16, 8}, {120, 60, 150});
  paint(overview, {64, 32, 16, 8}, {120, 60, 150});
  const auto fields = choose_preview_fields(overview, 2);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].y, 0);
  EXPECT_LT(fields[0].x, 1024);
  EXPECT_EQ(fields[1].y, 2048);
  EXPECT_GE(fields[1].x, 4096);
}

TEST(PreviewFields, InkAndDarknessAreNoTissue) {
  io::Overview overview = white_overview(80, 40, 64);
  paint(overview, {0, 0, 8, 8}, {20, 90, 40});       // green ink
  paint(overview, {8, 0, 8, 8}, {30, 40, 180});      // blue ink
  paint(overview, {16, 0, 8, 8}, {15, 15, 15});      // dark
  paint(overview, {40, 16, 8, 8}, {190, 140, 190});  // pale tissue
  const auto fields = choose_preview_fields(overview, 1);
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0], (Rect{2560, 1024, 512, 512}));
}

TEST(PreviewFields, GlassAndSmallRegionsGiveSome) {
  EXPECT_EQ(choose_preview_fields(white_overview(80, 40, 64), 3).size(), 3u);
  const auto small = choose_preview_fields(white_overview(100, 50, 1), 6);
  ASSERT_EQ(small.size(), 1u);
  EXPECT_EQ(small[0], (Rect{0, 0, 100, 50}));
}

TEST(PreviewFields, ThoseCutAtTheBorderComeLast) {
  io::Overview overview = white_overview(84, 42, 64);
  paint(overview, {0, 0, 84, 42}, {150, 90, 150});
  paint(overview, {80, 0, 4, 42}, {120, 60, 150});  // half fields
  paint(overview, {0, 40, 84, 2}, {100, 60, 150});  // quarters
  for (const Rect& field : choose_preview_fields(overview, 12))
    EXPECT_EQ(std::pair(field.width, field.height), std::pair(std::int64_t{512}, std::int64_t{512}));
  const Rect whole{512, 512, 512, 512}, half{5120, 512, 256, 512}, sliver{1024, 2560, 483, 69};
  using Fields = std::vector<Rect>;
  EXPECT_EQ(choose_preview_fields(overview, 1, Fields{sliver, half, whole}), Fields{whole});
  EXPECT_EQ(choose_preview_fields(overview, 3, Fields{sliver, half, whole}), (Fields{whole, half}));
  EXPECT_EQ(choose_preview_fields(overview, 3, Fields{sliver}), Fields{sliver});
}

TEST(PreviewVariants, ASweepHasBothEnds) {
  const auto variants = variants_of({}, "G1=20:100:20");
  ASSERT_EQ(variants.size(), 6u);
  EXPECT_EQ(variants[0].parameters, parameters_of({}));
  EXPECT_EQ(variants[1].label, "G1=20");
  EXPECT_EQ(variants[5].parameters.seed_level, 100);
  EXPECT_EQ(variants_of({}, "split_um=0.1:0.3:0.1").back().label, "split_um=0.3");
  EXPECT_EQ(variants_of({}, "split_um=0.5,0.25").size(), 3u);
}

TEST(PreviewVariants, OtherTextIsRefused) {
  for (const char* sweep : {"G1", "G1=", "=3", "G1=1:2", "G1=1:x:1", "G1=9:1:1", "G1=1:9:0", "G1=0:100:1", "G9=1,2",
                            "G1=400", "G1=nan:nan:nan"})
    EXPECT_THROW(variants_of({}, sweep), Error) << sweep;
}

/// A preview of one field of a slide under two variants. One variant contradicts itself.
struct OneField {
  explicit OneField(const std::vector<std::string>& said)
      : request{parameters_of({.said = said, .detector = "levels"}),
                variants_of({.said = said, .detector = "levels"}, "G1=30,250"),
                {io::kDesignMpp, io::MppSource::said, ""},
                {},
                1},
        overview(overview_of(*slide, grid, request)) {}

  Preview find() {
    const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
    return find_preview(
        *slide, grid, request, overview, [&](const std::string& step) { steps.push_back(step); }, stop);
  }

  const std::unique_ptr<io::Slide> slide = io::open_slide("synthetic:700x600,seed=5");
  const io::WorkingSlide grid{*slide, io::kDesignMpp, io::kDesignMpp};
  const PreviewRequest request;
  const io::Overview overview;
  std::atomic<bool> stop = false;
  std::vector<std::string> steps;
};

TEST(Preview, SegmentsEachFieldUnderEachVariant) {
  OneField one({"G2=40"});
  const Preview found = one.find();
  ASSERT_EQ(found.fields.size(), 1u);
  const std::vector<FieldNuclei>& variants = found.fields[0].variants;
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_GT(variants[0].count, 10);
  EXPECT_GT(variants[0].median_area, 0);
  EXPECT_NE(variants[1].refused, "") << "G1 = 30 is below G2 = 40";
  EXPECT_LT(variants[2].count, variants[0].count);
  EXPECT_EQ(one.steps.size(), 3u);
  EXPECT_EQ(one.steps[0], "field 1 of 1, as given");
  EXPECT_TRUE(found.survey);
  EXPECT_TRUE(found.differences_surveyed);
}

TEST(Preview, WithoutASurveyTheDifferencesAreThoseOfTheFields) {
  const StainLevels& fixed = kFixedLevels;
  OneField one({fmt::format("background_level={}", fixed.background), fmt::format("G1={}", fixed.seed),
                fmt::format("G2={}", fixed.nucleus), fmt::format("haematoxylin_level={}", fixed.haematoxylin)});
  const Preview found = one.find();
  EXPECT_FALSE(found.survey);
  EXPECT_FALSE(found.differences_surveyed);
  const auto counted = std::accumulate(found.differences.begin(), found.differences.end(), std::int64_t{0});
  const PixelCounts darkest = darkest_of(found.fields);
  EXPECT_EQ(counted, std::accumulate(darkest.begin(), darkest.begin() + kFixedLevels.background + 1, std::int64_t{0}))
      << "all but glass";
  EXPECT_GT(counted, 1000);
}

TEST(Preview, AfterAStopNothingIsSegmented) {
  OneField one({});
  one.stop = true;
  EXPECT_TRUE(one.find().fields.empty());
}

TEST(Preview, ARequestThatCannotBeIsRefused) {
  const OneField one({});
  PreviewRequest outside = one.request;
  outside.roi = {5000, 0, 100, 100};
  EXPECT_THROW(check_request(outside, one.grid), Error);
  PreviewRequest contradicting = one.request;
  contradicting.parameters.seed_level = 30;
  contradicting.parameters.nucleus_level = 60;
  EXPECT_THROW(check_request(contradicting, one.grid), Error);
  EXPECT_NO_THROW(check_request(one.request, one.grid));
}

}  // namespace
}  // namespace starpath
