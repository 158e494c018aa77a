// What ranks of a study are told comes back as it was.
#include "pipelines/study/slide_messages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace starpath::apps {
namespace {

TEST(SlideMessages, SlidesComeBack) {
  io::StudySlide slide{"p1/\"a\".svs", "p1_a"};
  slide.mpp = 0.2527;
  slide.roi = "0,0,512,512";
  slide.exclude = "pen.geojson";
  const auto slides = slides_from(slides_text({slide, io::StudySlide{"b.svs", "b"}}));
  ASSERT_EQ(slides.size(), 2u);
  EXPECT_EQ(slides[0].path, slide.path);
  EXPECT_EQ(slides[0].folder, slide.folder);
  EXPECT_EQ(slides[0].mpp, slide.mpp);
  EXPECT_EQ(slides[0].roi, slide.roi);
  EXPECT_EQ(slides[0].exclude, slide.exclude);
  EXPECT_EQ(slides[1].folder, "b");
}

TEST(SlideMessages, BeginningsAndUpdatesComeBack) {
  EXPECT_EQ(note_from(begun_text(7)).slide, 7u);
  EXPECT_EQ(note_from(begun_text(7)).kind, SlideNote::Kind::begun);
  Progress progress;
  progress.tiles_done = 6, progress.tiles_failed = 1, progress.tiles_skipped = 2, progress.tiles_total = 9;
  progress.tiles_resumed = 3, progress.found = 1234;
  progress.note = "a note";
  progress.news = {"one", "two"};
  const SlideNote note = note_from(update_text(4, progress, "tile 5 failed"));
  EXPECT_EQ(note.kind, SlideNote::Kind::update);
  EXPECT_EQ(note.slide, 4u);
  EXPECT_EQ(note.progress.tiles_done, 6);
  EXPECT_EQ(note.progress.tiles_failed, 1);
  EXPECT_EQ(note.progress.tiles_skipped, 2);
  EXPECT_EQ(note.progress.tiles_total, 9);
  EXPECT_EQ(note.progress.tiles_resumed, 3);
  EXPECT_EQ(note.progress.found, 1234);
  EXPECT_EQ(note.progress.note, "a note");
  EXPECT_EQ(note.progress.news, progress.news);
  EXPECT_EQ(note.failure, "tile 5 failed");
}

TEST(SlideMessages, WhatCameOfASlideComesBackToTheLastBit) {
  const double third = 1.0 / 3, unknown = std::numeric_limits<double>::quiet_NaN();
  SlideOutcome outcome;
  io::SlideSummary& summary = outcome.summary;
  summary.state = io::SlideState::incomplete;
  summary.error = "2 of 9 tiles failed";
  summary.nuclei = 12, summary.tiles = 9, summary.tiles_background = 1, summary.tiles_failed = 2, summary.width = 600;
  summary.mpp = 0.1 + 0.2, summary.analysed_mm2 = third;
  summary.seconds = 1.5;
  summary.mpp_source = "tiff", summary.parameters = "{}", summary.survey = "{\"a\":1}", summary.file_state = "9 bytes";
  summary.warnings = {"pale"};
  summary.features = {{"area", 12, third, 1, 2, 3}, {"constant", 0, unknown, unknown, unknown, unknown}};
  summary.regions = {{"Tumour", "class", 5, third, {{"area", 5, 2, 1, third, 3}}}};
  outcome.failed_exports = {"out/nuclei.csv"};
  const SlideNote note = note_from(finished_text(3, outcome));
  const io::SlideSummary& back = note.outcome.summary;
  EXPECT_EQ(note.kind, SlideNote::Kind::finished);
  EXPECT_EQ(note.slide, 3u);
  EXPECT_EQ(back.state, io::SlideState::incomplete);
  EXPECT_EQ(back.error, summary.error);
  EXPECT_EQ(back.nuclei, summary.nuclei);
  EXPECT_EQ(back.left_out_eosin, std::nullopt);
  EXPECT_EQ(back.tiles, summary.tiles);
  EXPECT_EQ(back.tiles_background, summary.tiles_background);
  EXPECT_EQ(back.tiles_failed, summary.tiles_failed);
  EXPECT_EQ(back.width, summary.width);
  EXPECT_EQ(back.height, std::nullopt);
  EXPECT_EQ(back.mpp, summary.mpp);
  EXPECT_EQ(back.mpp_source, summary.mpp_source);
  EXPECT_EQ(back.analysed_mm2, summary.analysed_mm2);
  EXPECT_EQ(back.nuclei_per_mm2, std::nullopt);
  EXPECT_EQ(back.median_area_um2, std::nullopt);
  EXPECT_EQ(back.seconds, summary.seconds);
  EXPECT_EQ(back.parameters, summary.parameters);
  EXPECT_EQ(back.survey, summary.survey);
  EXPECT_EQ(back.file_state, summary.file_state);
  EXPECT_EQ(back.warnings, summary.warnings);
  ASSERT_EQ(back.features.size(), 2u);
  EXPECT_EQ(back.features[0].feature, "area");
  EXPECT_EQ(back.features[0].nuclei, 12);
  EXPECT_EQ(back.features[0].mean, third);
  EXPECT_EQ(back.features[0].q3, 3);
  EXPECT_TRUE(std::isnan(back.features[1].median));
  ASSERT_EQ(back.regions.size(), 1u);
  EXPECT_EQ(back.regions[0].name, "Tumour");
  EXPECT_EQ(back.regions[0].class_name, "class");
  EXPECT_EQ(back.regions[0].nuclei, 5);
  EXPECT_EQ(back.regions[0].area_mm2, third);
  ASSERT_EQ(back.regions[0].features.size(), 1u);
  EXPECT_EQ(back.regions[0].features[0].median, third);
  EXPECT_EQ(note.outcome.failed_exports, outcome.failed_exports);
}

}  // namespace
}  // namespace starpath::apps
