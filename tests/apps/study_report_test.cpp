// What a run over many slides says of all of them.
#include "runs/study/study_report.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "apps/run/progress_report.hpp"
#include "tests/support/growth.hpp"

namespace starpath::apps {
namespace {

Progress at(std::int64_t done, std::int64_t total, std::int64_t found) {
  Progress progress;
  progress.tiles_done = done;
  progress.tiles_total = total;
  progress.found = found;
  for (const char* stage : {"background", "morph_open", "watershed", "features"})
    progress.shares["cpu"][stage] = {done, 0.5 * static_cast<double>(done)};
  return progress;
}

io::SlideSummary with_tiles(std::int64_t tiles) {
  io::SlideSummary summary;
  summary.state = io::SlideState::done;
  summary.tiles = tiles;
  return summary;
}

TEST(StudyReport, AddsUpWhereEachSlideStandsLast) {
  ProgressReport listener(ReportStyle::quiet, "nuclei");
  StudyReport report(listener, {"a", "b", "c", "d", "e", "f"});
  report.resumed(0, with_tiles(6));
  for (std::int64_t tile = 0; tile <= 4; ++tile) report.update(1, at(tile, 4, 10 * tile), "");
  report.finished(1, with_tiles(4));
  report.update(2, at(1, 8, 7), "");
  report.update(3, at(3, 5, 100), "");
  report.kept(3, with_tiles(5), kInterrupted);  // its results are those of before
  report.update(4, Progress{}, "");             // opened, and nothing known
  report.finished(4, {});
  const Progress sum = report.sum();
  EXPECT_EQ(sum.tiles_total, 6 + 4 + 8 + 5);
  EXPECT_EQ(sum.tiles_done, 6 + 4 + 1 + 5);
  EXPECT_EQ(sum.tiles_resumed, 6 + 5);
  EXPECT_EQ(sum.found, 40 + 7);
  EXPECT_EQ(sum.slides_done, 4);
  EXPECT_EQ(sum.slides_total, 6);
  EXPECT_EQ(sum.tiles_expected, 23 + 23 / 4) << "one slide is to come";
  EXPECT_EQ(sum.shares.at("cpu").at("features").tasks, 4 + 1);
  EXPECT_EQ(sum.shares.at("cpu").at("features").seconds, 0.5 * (4 + 1));
}

TEST(StudyReport, TellsAWarningOnce) {
  testing::internal::CaptureStderr();
  ProgressReport listener(ReportStyle::quiet, "nuclei");
  StudyReport report(listener, {"a", "b"});
  Progress survey;
  survey.note = "warning: pale";
  report.update(0, survey, "");
  io::SlideSummary summary = with_tiles(1);
  summary.warnings = {"pale", "of an unknown size"};
  report.finished(0, summary);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "starpath: a: warning: pale\nstarpath: a: warning: of an unknown size\n");
}

TEST(StudyReport, TellsTheSum) {
  testing::internal::CaptureStdout();
  ProgressReport listener(ReportStyle::json, "nuclei");
  StudyReport report(listener, {"a", "b"});
  report.resumed(0, with_tiles(6));
  report.update(1, at(1, 4, 7), "");
  const std::string told = testing::internal::GetCapturedStdout();
  for (const char* part : {R"("tiles_done":7)", R"("tiles_total":10)", R"("nuclei":7)", R"("slides_done":1)"})
    EXPECT_NE(told.find(part), std::string::npos) << part << " not in: " << told;
}

// Every tile of every slide is told, under a lock that all slides share.
TEST(StudyReport, ATileTakesAsLongHoweverManySlidesThereAre) {
  const double times = test::growth(50, 800, [](std::size_t slides) {
    const auto listener = std::make_shared<ProgressReport>(ReportStyle::quiet, "nuclei");
    const auto report = std::make_shared<StudyReport>(*listener, std::vector<std::string>(slides, "slide"));
    for (std::size_t slide = 0; slide < slides; ++slide) report->update(slide, at(1, 9, 5), "");
    return [listener, report] {
      for (std::int64_t tile = 0; tile < 400; ++tile) report->update(7, at(tile % 9, 9, tile), "");
    };
  });
  EXPECT_LT(times, 4);
}

}  // namespace
}  // namespace starpath::apps
