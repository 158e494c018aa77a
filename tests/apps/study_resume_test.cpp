// What `--resume` of a study leaves alone: finished slides, whatever is said of them now.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/study/study_store.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::expect_says;
using test::shell;
using test::TemporaryFolder;

/// Everything in study.sqlite but when it was worked on.
std::string rows_in(const std::string& study) {
  const Database database(study + "/study.sqlite", Database::Open::existing);
  std::string text;
  for (const char* table : {"study", "slides", "labels", "features", "slide_clusters", "patients"}) {
    text += std::string("\n") + table;
    for (Statement rows = database.prepare("SELECT * FROM " + std::string(table)); rows.step(); text += "\n")
      for (int column = 0; column < rows.columns(); ++column) text += rows.text(column) + "|";
  }
  return text;
}

std::int64_t count_in(const std::string& study, const std::string& what) {
  return Database(study + "/study.sqlite", Database::Open::existing).integer("SELECT count(*) FROM " + what);
}

/// A study of two small slides in files, with clusters and a cohort.
class StudyResume : public testing::Test {
 protected:
  void SetUp() override {
    // Overlays are pictures of slides that are as good as slides.
    for (const std::string name : {"s1", "s2"}) {
      const std::string made = folder_ / ("made_" + name);
      ASSERT_EQ(shell("starpath segment synthetic:300x300,seed=" + name.substr(1) +
                      " --mpp 0.5 --quiet --export overlay --out " + made)
                    .code,
                0);
      fs::copy(made + "/overlay.png", slide(name));
    }
  }
  std::string slide(const std::string& name) const { return folder_ / (name + ".png"); }
  std::string run(const std::string& options, const std::string& more = "") const {
    return "starpath segment " + slide("s1") + " " + slide("s2") + " " + more + " --quiet --export none --out " +
           study_ + " " + options;
  }
  void make(const std::string& options) const {
    const auto made = shell(run(options) + " && starpath cluster " + study_ + " --k 2 --quiet && starpath cohort " +
                            study_ + " --quiet");
    ASSERT_EQ(made.code, 0) << made.output;
    ASSERT_GT(count_in(study_, "slide_clusters"), 0);
  }
  /// As studies of before: without what is said of all slides.
  void forget_what_is_said() const {
    Database(study_ + "/study.sqlite", Database::Open::existing)
        .execute("DELETE FROM study WHERE key = 'said_of_all'; DROP TABLE checksums; PRAGMA user_version = 2");
  }

  const TemporaryFolder folder_;
  const std::string study_ = folder_ / "study";
};

TEST_F(StudyResume, IsRefusedWhenSomethingElseIsSaidOfAllSlides) {
  const std::string regions = folder_ / "regions.geojson", others = folder_ / "others.geojson";
  const auto square = [](const std::string& file, const std::string& side) {
    std::ofstream(file) << R"({"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[)"
                        << side << ",0],[" << side << "," << side << "],[0," << side << "],[0,0]]]}}";
  };
  square(regions, "40");
  square(others, "50");
  const std::string said = "--mpp 0.5 --roi 0,0,250,250 ", excluded = said + "--exclude " + regions;
  ASSERT_NO_FATAL_FAILURE(make(excluded));
  const std::string before = rows_in(study_);
  expect_one_line(shell(run("--resume --mpp 0.6 --roi 0,0,250,250 --exclude " + regions)), 5,
                  {"study.sqlite", "mpp was 0.5 and is 0.6"});
  expect_one_line(shell(run("--resume --roi 0,0,250,250 --exclude " + regions)), 5, {"mpp was 0.5 and is not set"});
  expect_one_line(shell(run("--resume --mpp 0.5 --roi 0,0,200,250 --exclude " + regions)), 5,
                  {R"(roi was "0,0,250,250" and is "0,0,200,250")"});
  expect_one_line(shell(run("--resume " + said + "--exclude " + others)), 5, {"exclude was "});
  expect_one_line(shell(run("--resume " + said)), 5, {"exclude was ", "and is not set"});
  expect_one_line(shell(run("--resume " + said + "--exclude " + folder_ / "none.geojson")), 3, {"none.geojson"});
  EXPECT_EQ(rows_in(study_), before);
  EXPECT_EQ(shell(run("--resume " + excluded)).code, 0);
  EXPECT_EQ(rows_in(study_), before);
  // The same rectangle and the same file, in other words.
  fs::copy(regions, folder_ / "copy.geojson");
  const auto same = shell(run("--resume --mpp 0.50 --roi '0 0 250 250' --exclude " + folder_ / "copy.geojson"));
  EXPECT_EQ(same.code, 0) << same.output;
}

TEST_F(StudyResume, KeepsRowsOfSlidesThatAreAway) {
  ASSERT_NO_FATAL_FAILURE(make("--mpp 0.5"));
  const std::string before = rows_in(study_), away = folder_ / "away.png";
  fs::rename(slide("s1"), away);
  expect_one_line(shell(run("--resume --mpp 0.5")), 6, {"left as it was: s1: ", "no such file"});
  EXPECT_EQ(rows_in(study_), before);
  std::ofstream(slide("s1")) << "no image";
  expect_one_line(shell(run("--resume --mpp 0.5")), 6, {"left as it was: s1: ", "not an image"});
  EXPECT_EQ(rows_in(study_), before);
  fs::copy(slide("s2"), slide("s1"), fs::copy_options::overwrite_existing);
  expect_one_line(shell(run("--resume --mpp 0.5")), 5, {"left as it was: s1: ", "another slide"});
  EXPECT_EQ(rows_in(study_), before);
  // A slide that fails for the first time counts as before.
  expect_says(shell(run("--resume --mpp 0.5", folder_ / "none.png")), 6,
              {"left as it was: s1", "1 of 3 slides failed"});
  EXPECT_EQ(count_in(study_, "slides WHERE state = 'done'"), 2);
  EXPECT_GT(count_in(study_, "slide_clusters"), 0);
}

TEST_F(StudyResume, KeepsRowsWhoseResultsRefuseAndTheirGroupsOnceTheyFitAgain) {
  ASSERT_NO_FATAL_FAILURE(make("--mpp 0.5"));
  forget_what_is_said();
  const std::string before = rows_in(study_);
  const auto refused = shell(run("--resume --mpp 0.6"));
  expect_says(refused, 5, {"left as it was: s1: ", "left as it was: s2: ", "slide_mpp was 0.5 and is 0.6"});
  EXPECT_EQ(rows_in(study_), before);
  EXPECT_EQ(shell(run("--resume --mpp 0.5")).code, 0);
  EXPECT_EQ(rows_in(study_), before);
  // A file with another time and the same bytes is looked at, and gives the same nuclei.
  const auto groups = count_in(study_, "slide_clusters");
  const auto touched = shell("touch " + slide("s1") + " && " + run("--resume --mpp 0.5"));
  EXPECT_EQ(touched.code, 0) << touched.output;
  EXPECT_EQ(count_in(study_, "slide_clusters"), groups);
  // As before: what a list says of a slide is compared with the slide's results.
  std::ofstream(folder_ / "list.csv") << "path,mpp\n" << slide("s1") << ",0.5\n" << slide("s2") << ",0.4\n";
  expect_one_line(
      shell("starpath segment --slides " + folder_ / "list.csv" + " --quiet --export none --resume --out " + study_), 5,
      {"left as it was: s2: ", "slide_mpp was 0.5 and is 0.4"});
  EXPECT_EQ(count_in(study_, "slides WHERE state = 'done' AND mpp_said = 0.5"), 2);
}

TEST_F(StudyResume, SeesATileThatWasReplaced) {
  const std::string tiles = folder_ / "tiles";
  fs::create_directories(tiles);
  for (const std::string name : {"r0_c0", "r0_c1"}) fs::copy(slide("s1"), tiles + "/" + name + ".png");
  const std::string line = "starpath segment " + tiles + " " + slide("s2") + " --mpp 0.5 --quiet --export none --out " +
                           study_ + " --resume";
  ASSERT_EQ(shell(line).code, 0);
  ASSERT_EQ(shell("starpath cohort --quiet " + study_).code, 0);
  const std::string before = rows_in(study_);
  EXPECT_EQ(shell(line).code, 0);
  fs::copy(slide("s2"), tiles + "/r0_c1.png", fs::copy_options::overwrite_existing);
  expect_one_line(shell(line), 5, {"left as it was: tiles: ", "another slide"});
  EXPECT_EQ(rows_in(study_), before);
  fs::remove(tiles + "/r0_c1.png");
  expect_one_line(shell(line), 5, {"left as it was: tiles: ", "another slide"});
}

}  // namespace
}  // namespace starpath
