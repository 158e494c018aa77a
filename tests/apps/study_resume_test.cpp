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
    Database(study_ + "/study.sqlite", Database::Open::existing).execute("DELETE FROM study WHERE key = 'said_of_all'");
  }

  const TemporaryFolder folder_;
  const std::string study_ = folder_ / "study";
};

TEST_F(StudyResume, IsRefusedWhenSomethingElseIsSaidOfAllSlides) {
  const std::string regions = folder_ / "regions.geojson", others = folder_ / "others.geojson";
  const auto square = [](const std::string& file, const std::string& side) {
    std::ofstream(file) << R"({"type":"Polygon","coordinates":[[[0,0],[)" << side << ",0],[" << side << "," << side
                        << "],[0," << side << "],[0,0]]]}";
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

}  // namespace
}  // namespace starpath
