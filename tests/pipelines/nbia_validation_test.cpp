// What training finds out about its own model: ranges of distances, and which levels to use.
#include <gtest/gtest.h>

#include <numeric>

#include "pipelines/nbia/cross_validation.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/nbia/train.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

std::int32_t range_of(int count) {
  std::vector<NbiaVote> votes;
  for (int i = count; i > 0; --i) votes.push_back({NbiaLabel::stroma_rich, 15, i});
  return nbia_range(votes);
}

TEST(NbiaRange, IsExceededByOneInAHundredOrAsFewAsThereCanBe) {
  EXPECT_EQ(range_of(30), 30);  // one of 31 is beyond the largest of 30
  EXPECT_EQ(range_of(98), 98);
  EXPECT_EQ(range_of(99), 99);
  EXPECT_EQ(range_of(199), 198);  // two of 200
  EXPECT_EQ(range_of(999), 990);
  EXPECT_DOUBLE_EQ(nbia_false_alarms(30), 1.0 / 31);
  EXPECT_DOUBLE_EQ(nbia_false_alarms(5000), 0.01);
}

TEST(NbiaRange, WarnsOfMoreThanChance) {
  NbiaModel model = bundled_model();
  const auto warning = [&](std::int64_t strange) {
    NbiaSummary summary;
    summary.fields = {{NbiaLabel::background, 7}, {NbiaLabel::stroma_rich, 100}, {NbiaLabel::stroma_poor, 100}};
    summary.out_of_range = strange;
    return range_warning(summary, model);
  };
  EXPECT_EQ(warning(0), "");
  EXPECT_EQ(warning(3), "");
  EXPECT_NE(warning(20).find("10.0 % of the tissue (20 of 200 fields)"), std::string::npos) << warning(20);
  model.levels[1].range.reset();
  EXPECT_NE(warning(0).find("train it again"), std::string::npos) << warning(0);
}

TEST(NbiaSupport, ALevelMustBeAsGoodAsTheLastOneWhereItDecides) {
  EXPECT_TRUE(is_supported({.fields = 50, .right = 30, .decided = 20, .decided_right = 19, .last_right = 19}));
  EXPECT_FALSE(is_supported({.fields = 50, .right = 49, .decided = 49, .decided_right = 48, .last_right = 49}));
  EXPECT_FALSE(is_supported({.fields = 50, .right = 30, .decided = 0, .decided_right = 0, .last_right = 0}));
}

/// A field of 16 px: at 8 px flat, or striped; at 16 px with a checkerboard on top, or not.
support::Image<Rgb> field(bool striped, bool checkered) {
  support::Image<Rgb> image(16, 16);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) {
      const int shade = 120 + (striped && x / 2 % 2 == 0 ? 40 : 0) + (checkered ? ((x + y) % 2 == 0 ? 20 : -20) : 0);
      image.at(x, y) = {static_cast<std::uint8_t>(shade + 40), static_cast<std::uint8_t>(shade - 40),
                        static_cast<std::uint8_t>(shade)};
    }
  return image;
}

/// 30 stroma-rich fields, flat, and 30 stroma-poor ones, checkered. `alike` of the latter look stroma-rich from afar.
TrainedModel trained(int alike, const std::vector<FieldOrigin>& origins = std::vector<FieldOrigin>(60)) {
  NbiaTrainer trainer({8, 16});
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_TRUE(trainer.add(i < 30 ? NbiaLabel::stroma_rich : NbiaLabel::stroma_poor,
                            field(i >= 30 + static_cast<std::size_t>(alike), i >= 30).view(), origins[i]));
  return trainer.train("fields", 0.5);
}

TEST(NbiaTrainer, LeavesOutALevelThatIsSureAndWrong) {
  const auto [model, confusion] = trained(10);
  EXPECT_EQ(*model.levels[0].validation,
            (NbiaValidation{.fields = 60, .right = 50, .decided = 60, .decided_right = 50, .last_right = 60}));
  EXPECT_FALSE(model.levels[0].used);
  EXPECT_TRUE(model.levels[1].used);
  EXPECT_EQ(confusion.at(NbiaLabel::stroma_poor).at(NbiaLabel::stroma_poor), 30);
  EXPECT_EQ(with_levels(model, {}).levels.size(), 1u);
}

TEST(NbiaTrainer, UsesALevelThatIsRight) {
  const auto [model, confusion] = trained(0);
  EXPECT_TRUE(model.levels[0].used);
  EXPECT_EQ(confusion.at(NbiaLabel::stroma_rich).at(NbiaLabel::stroma_rich), 30);
  EXPECT_EQ(confusion.at(NbiaLabel::stroma_poor).at(NbiaLabel::stroma_poor), 30);
}

TEST(NbiaTrainer, HoldsOutWholeImagesOrAnnotationsWhereItCan) {
  std::vector<FieldOrigin> origins(60);
  const auto by = [&](const auto& origin_of) {
    for (std::size_t i = 0; i < 60; ++i) origins[i] = origin_of(i);
    return trained(0, origins).model.validated_by;
  };
  EXPECT_EQ(by([](std::size_t i) { return FieldOrigin{"slide " + std::to_string(i % 3), ""}; }), "image");
  EXPECT_EQ(by([](std::size_t i) { return FieldOrigin{i < 30 ? "rich.png" : "poor.png", ""}; }), "field");
  EXPECT_EQ(by([](std::size_t i) { return FieldOrigin{"slide", std::to_string(i / 10)}; }), "annotation");
  EXPECT_EQ(by([](std::size_t) { return FieldOrigin{"slide", "one annotation"}; }), "field");
}

/// Each image has a texture of its own, so that its fields are near each other and far from those of other images.
TEST(NbiaTrainer, RangesAreDistancesToOtherImages) {
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  support::Rng rng(seed);
  std::vector<support::Image<Rgb>> images;
  for (int i = 0; i < 8; ++i) images.push_back(support::rgb_noise(rng, 16, 16, 0));
  const auto range = [&](bool known) {
    NbiaTrainer trainer({16});
    for (std::size_t i = 0; i < 160; ++i)
      trainer.add(i % 2 == 0 ? NbiaLabel::stroma_rich : NbiaLabel::stroma_poor, images[i % 8].view(),
                  {known ? "image " + std::to_string(i % 8) : "", ""});
    return *trainer.train("noise", 0.5).model.levels[0].range;
  };
  EXPECT_EQ(range(false), 0);
  EXPECT_GT(range(true), 0);
}

}  // namespace
}  // namespace starpath
