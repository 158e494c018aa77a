// Surveys of slides in StarPU.
#include "pipelines/survey/survey_slide.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/survey_first.hpp"
#include "pipelines/survey/derive.hpp"
#include "pipelines/survey/probes.hpp"
#include "support/images.hpp"
#include "tests/pipelines/survey_image.hpp"
#include "tests/support/stubborn_slide.hpp"

namespace starpath {
namespace {

const std::atomic<bool> kGoOn{false};

std::string survey_of(const std::string& input, const SessionOptions& session, const Rect& roi = {}) {
  const auto slide = io::open_slide(input);
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const StarpuSession starpu(session);
  return to_json(survey_slide(grid, {.roi = roi}, kGoOn).value());
}

TEST(SurveySlide, IsWhatTheReferenceKernelsCount) {
  const auto slide = io::open_slide("synthetic:700x600,seed=4");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  std::vector<SurveyCounts> counts;
  std::vector<Place> places;
  const auto fields = survey_fields(700, 600, {});
  std::vector<Probe> probes;
  for (const auto& patch : plan_probes(fields, slide->info().levels, 1).patches) {
    support::Image<Rgb> image(patch.side, patch.side, 0);
    slide->read(0, patch.x, patch.y, image.view());
    probes.push_back({patch.field, image.elements()});
  }
  const auto white = find_white(probes);
  for (const Tile& field : fields) {
    const auto width = static_cast<int>(field.region.width), height = static_cast<int>(field.region.height);
    support::Image<Rgb> rgb(width, height);
    support::Image<std::uint8_t> inverted(width, height), opened(width, height), difference(width, height);
    grid.read(field.region.x, field.region.y, rgb.view());
    const support::TestContext context;
    reference::morph_open(context, rgb.view(), 9, inverted.view(), opened.view());
    reference::recon_to_nuclei(context, inverted.view(), opened.view(), 192, difference.view());
    const Rgb w = white.value_or(kDefaultWhite);
    places.push_back({field.core.x, field.core.y});
    counts.emplace_back();
    reference::survey(context, rgb.view(), difference.view(), static_cast<int>(field.core.x - field.region.x),
                      static_cast<int>(field.core.y - field.region.y), static_cast<int>(field.core.width),
                      static_cast<int>(field.core.height), w.r, w.g, w.b, &counts.back());
  }
  const Survey expected = derive_survey({static_cast<std::int64_t>(fields.size()), white, 0, places}, counts);
  EXPECT_EQ(survey_of("synthetic:700x600,seed=4", {.policy = "eager", .cpus = 2, .gpus = 0}), to_json(expected));
  EXPECT_TRUE(expected.levels_found);
  EXPECT_EQ(expected.fields, 4);
}

TEST(SurveySlide, OfPixelsInMemoryIsTheSame) {
  const auto slide = io::open_slide("synthetic:3000x3100,seed=9");
  support::Image<Rgb> rgb(3000, 3100);
  slide->read(0, 0, 0, rgb.view());
  EXPECT_EQ(survey_of("synthetic:3000x3100,seed=9", {.policy = "eager", .cpus = 2, .gpus = 0}),
            to_json(survey_image(rgb.view(), {})));
}

TEST(SurveySlide, HasTheSameBytesUnderAnyPolicyAndNumberOfWorkers) {
  const std::string input = "synthetic:6000x5000,seed=9";
  const std::string one = survey_of(input, {.policy = "eager", .cpus = 1, .gpus = 0});
  EXPECT_EQ(survey_of(input, {.policy = "lws", .cpus = 2, .gpus = 0}), one);
  EXPECT_EQ(survey_of(input, {.policy = "dmdas", .cpus = 2, .gpus = 0}), one);
  EXPECT_EQ(survey_from_json(one).fields, static_cast<std::int64_t>(kMostSurveyFields)) << "not all of the slide";
  EXPECT_NE(survey_of(input, {.policy = "eager", .cpus = 2, .gpus = 0}, {1000, 1000, 900, 900}), one);
}

TEST(SurveySlide, StopsWhenAsked) {
  const auto slide = io::open_slide("synthetic:3000x3000,seed=2");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const StarpuSession starpu({.policy = "eager", .cpus = 2, .gpus = 0});
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(survey_slide(grid, {}, stop).has_value());
}

TEST(SurveySlide, AnUnreadableSlideKeepsTheDefaultsAndSaysSo) {
  const auto slide = io::open_slide("synthetic:600x600,seed=2");
  const support::StubbornSlide stubborn(*slide, 1'000'000);
  const io::WorkingSlide grid(stubborn, io::kDesignMpp, 0);
  const StarpuSession starpu({.policy = "eager", .cpus = 2, .gpus = 0});
  const Survey survey = survey_slide(grid, {}, kGoOn).value();
  EXPECT_EQ(survey.levels, Levels{});
  EXPECT_EQ(survey.warnings.at(0).find("no field could be read"), 0u) << survey.warnings[0];
}

TEST(SurveySlide, FindsTheLevelsOfTheReferencesColours) {
  const auto slide = io::open_slide("synthetic:1500x1300,seed=5");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const StarpuSession starpu({.policy = "eager", .cpus = 2, .gpus = 0});
  const Survey as_scanned = survey_slide(grid, {}, kGoOn).value();
  const Survey normalised = survey_slide(grid, {.roi = {}, .normalise = true}, kGoOn).value();
  ASSERT_TRUE(look_of(as_scanned));
  EXPECT_EQ(look_of(normalised), look_of(as_scanned)) << "of the slide";
  EXPECT_EQ(normalised.places, as_scanned.places);
  EXPECT_EQ(normalised.background_level(), as_scanned.background_level()) << "glass is found on the pixels as scanned";
  EXPECT_TRUE(normalised.levels_found);
  EXPECT_NE(normalised.difference, as_scanned.difference);
  EXPECT_NE(normalised.levels, as_scanned.levels);
}

/// Results in a folder that goes away.
class SurveyFirst : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file() const { return folder_ / "results.sqlite"; }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("starpath_survey_first_" + std::to_string(getpid()));
  const SessionOptions session_{.policy = "eager", .cpus = 2, .gpus = 0};
};

TEST_F(SurveyFirst, IsStoredAndTakenFromTheResultsLater) {
  const auto slide = io::open_slide("synthetic:600x500,seed=11");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const StarpuSession starpu(session_);
  SegmentationOptions options;
  const io::RunKey key = run_key(slide->info(), options);
  std::string stored;
  {
    auto store = io::ResultStore::create(file(), key, run_info(slide->info(), grid, options));
    EXPECT_FALSE(stored_survey(store).has_value());
    const Survey survey = survey_first(grid, store, options, kGoOn).value();
    EXPECT_EQ(options.levels, (StainLevels{survey.background_level(), survey.levels.seed, survey.levels.nucleus,
                                           survey.levels.haematoxylin}));
    EXPECT_EQ(options.stains, survey.stains);
    stored = to_json(survey);
  }
  SegmentationOptions again;
  EXPECT_EQ(to_json(survey_for(grid, again, kGoOn).value()), stored) << "computed again";
  const support::StubbornSlide unreadable(*slide, 1'000'000);
  const io::WorkingSlide unreadable_grid(unreadable, io::kDesignMpp, 0);
  auto store = io::ResultStore::resume(file(), key);
  SegmentationOptions later;
  EXPECT_EQ(to_json(survey_first(unreadable_grid, store, later, kGoOn).value()), stored);
  EXPECT_EQ(later.levels, options.levels);
}

TEST_F(SurveyFirst, IsNotMadeWhereTheUserHasSaidAllLevels) {
  const auto slide = io::open_slide("synthetic:300x300,seed=11");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options;
  options.parameters.background_level = 220;
  options.parameters.seed_level = 80;
  EXPECT_TRUE(wants_survey(options.parameters));
  options.parameters.nucleus_level = 45;
  auto store = io::ResultStore::create(file(), run_key(slide->info(), options), run_info(slide->info(), grid, options));
  EXPECT_FALSE(survey_first(grid, store, options, kGoOn).has_value());
  EXPECT_FALSE(stored_survey(store).has_value());
  EXPECT_EQ(options.stains, kDefaultStains);
}

TEST(Levels, OfTheSlideGiveWayToTheUsers) {
  SegmentationParameters parameters;
  EXPECT_EQ(levels_beside(parameters, {220, 30, 24, 7}), (StainLevels{220, 30, 24, 7}));
  parameters.seed_level = 20;
  EXPECT_EQ(levels_beside(parameters, {220, 30, 24, 7}), (StainLevels{220, 30, 20, 7}));
  EXPECT_EQ(pixel_parameters(parameters, {220, 30, 24, 7}, 0.5).seed_level, 20);
  EXPECT_EQ(pixel_parameters(parameters, {220, 30, 24, 7}, 0.5).nucleus_level, 20);
  parameters.seed_level.reset();
  parameters.nucleus_level = 50;
  EXPECT_EQ(levels_beside(parameters, {220, 30, 24, 7}), (StainLevels{220, 50, 24, 7}));
}

}  // namespace
}  // namespace starpath
