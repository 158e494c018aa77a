// `starpath cohort`: it replaces and removes its own files only.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "io/results/output_lock.hpp"
#include "io/study/study_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/made_up_study.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::shell;

class CohortFiles : public testing::Test {
 protected:
  /// Of so many patients: a tree takes three.
  std::string study(const std::string& name, int patients) const {
    std::vector<test::MadeUpSlide> slides;
    for (int i = 0; i < patients; ++i) slides.push_back({"P" + std::to_string(i), "", 40.0 + i});
    test::make_study(folder_ / name, slides);
    return folder_ / name;
  }

  static void expect_refused(const std::string& study, const std::string& name) {
    SCOPED_TRACE(name);
    expect_one_line(shell("starpath cohort --quiet " + study), 4, {study + "/" + name, "cohort", "move it away"});
    EXPECT_FALSE(io::StudyStore::open(study + "/study.sqlite").cohort()) << "something was done before";
    for (const char* file : {"slides.csv", "regions.csv", "patients.csv", "heatmap.svg"})
      EXPECT_TRUE(file == name || !fs::exists(study + "/" + file)) << file;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(CohortFiles, AnEarlierHeatMapIsReplacedOrRemoved) {
  const std::string tree = study("tree", 4), none = study("none", 2);
  ASSERT_EQ(shell("starpath cohort --quiet " + tree).code, 0);
  const auto again = shell("starpath cohort --quiet --linkage average " + tree);
  EXPECT_EQ(again.code, 0) << again.output;
  fs::copy(tree + "/heatmap.svg", none + "/heatmap.svg");
  EXPECT_EQ(shell("starpath cohort --quiet " + none).code, 0);
  EXPECT_FALSE(fs::exists(none + "/heatmap.svg")) << "of patients before";
}

TEST_F(CohortFiles, AHeatMapOf020IsReplaced) {
  const std::string out = study("study", 4);
  std::ofstream(out + "/heatmap.svg")
      << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"263\" height=\"274\" viewBox=\"0 0 263 274\" "
         "font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"12\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n</svg>\n";
  const auto run = shell("starpath cohort --quiet " + out);
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(read_file(out + "/heatmap.svg").find("P3"), std::string::npos);
}

/// A Python that lacks what the command needs, and none at all.
TEST_F(CohortFiles, WhatIsMissingIsNamedInOneLine) {
  const std::string out = study("study", 4);
  expect_one_line(shell("STARPATH_PYTHON=/nowhere/python starpath cohort --quiet " + out), 7,
                  {"/nowhere/python: cannot be started", "apt-get install python3-scipy"});
  std::ofstream(folder_ / "bare") << "#!/bin/sh\nexec /usr/bin/python3 -S \"$@\"\n";  // without installed packages
  fs::permissions(folder_ / "bare", fs::perms::owner_all);
  expect_one_line(shell("STARPATH_PYTHON=" + folder_ / "bare" + " starpath cohort --quiet " + out), 7,
                  {"scipy", "matplotlib", "apt-get install", "python3-pandas", "STARPATH_PYTHON"});
  EXPECT_FALSE(fs::exists(out + "/patients.csv"));
}

TEST_F(CohortFiles, NoModuleComesFromTheWorkingFolder) {
  const std::string out = study("study", 4);
  for (const char* name : {"csv.py", "enum.py", "starpath.py"})
    std::ofstream(folder_ / name) << "raise SystemExit(9)\n";
  const auto run = shell("cd " + folder_ / "" + " && starpath cohort --quiet " + out);
  EXPECT_EQ(run.code, 0) << run.output;
}

TEST_F(CohortFiles, AStandardOutputThatIsFullIsTold) {
  const std::string out = study("study", 4);
  expect_says(shell("starpath cohort " + out + " > /dev/full"), 4, {"standard output: cannot be written"});
  expect_says(shell("starpath cohort --json " + out + " >&-"), 4, {"standard output: cannot be written"});
}

TEST_F(CohortFiles, AStudyInUseIsLeftAlone) {
  const std::string out = study("study", 4);
  const io::OutputLock lock(out);
  expect_one_line(shell("starpath cohort --quiet " + out), 4, {out, "in use by process"});
  expect_one_line(
      shell("PYTHONPATH=" STARPATH_SOURCE_DIR "/python /usr/bin/python3 -B -m starpath cohort --quiet " + out), 4,
      {out, "in use by another process"});
  EXPECT_FALSE(fs::exists(out + "/patients.csv"));
}

TEST_F(CohortFiles, APictureOfOthersStays) {
  const std::string mine = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"></svg>\n";
  for (const int patients : {2, 4}) {
    const std::string out = study("study" + std::to_string(patients), patients);
    std::ofstream(out + "/heatmap.svg") << mine;
    expect_refused(out, "heatmap.svg");
    EXPECT_EQ(read_file(out + "/heatmap.svg"), mine);
  }
}

TEST_F(CohortFiles, LinksAndFoldersStay) {
  const std::string other = study("other", 4), out = study("study", 2);
  ASSERT_EQ(shell("starpath cohort --quiet " + other).code, 0);
  std::ofstream(other + "/regions.csv") << "slide,folder,region,name\n";
  for (const char* name : {"regions.csv", "patients.csv", "heatmap.svg"}) {
    const std::string file = out + "/" + name;
    fs::create_symlink(other + "/" + name, file);
    expect_refused(out, name);
    EXPECT_TRUE(fs::is_symlink(file));
    fs::remove(file);
    fs::create_symlink("nowhere", file);
    expect_refused(out, name);
    EXPECT_TRUE(fs::is_symlink(file));
    fs::remove(file);
    fs::create_directories(file + "/full");
    expect_refused(out, name);
    EXPECT_TRUE(fs::exists(file + "/full"));
    fs::remove_all(file);
  }
}

}  // namespace
}  // namespace starpath
