// What a command reads it does not write over, whatever names the output.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::read_file;
using test::shell;

class InputFiles : public testing::Test {
 protected:
  InputFiles() {
    write(
        "r.geojson",
        R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,300],[0,300],[0,0]]]},"properties":{"classification":{"name":"A"}}})");
  }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// `command` may begin with variables.
  test::Outcome run(const std::string& variables, const std::string& command) const {
    return shell("cd " + folder_ / "" + " && " + variables + " starpath " + command);
  }
  void expect_done(const std::string& command) const {
    const auto outcome = run("", command);
    ASSERT_EQ(outcome.code, 0) << outcome.output;
  }
  void expect_kept(const std::string& name, const test::Outcome& outcome, const std::string& before) const {
    expect_one_line(outcome, 2, {name, "name"});
    EXPECT_TRUE(read_file(folder_ / name) == before) << name << " was replaced";
  }
  const test::TemporaryFolder folder_;
};

constexpr const char* kTwoHalves =
    R"({"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[150,0],[150,300],[0,300],[0,0]]]},"properties":{"classification":{"name":"A"}}},{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[151,0],[300,0],[300,300],[151,300],[151,0]]]},"properties":{"classification":{"name":"B"}}}]})";
constexpr const char* kStudy = "synthetic:300x300,seed=1 synthetic:300x300,seed=2 --mpp 0.5 --export none --quiet";

TEST_F(InputFiles, StatisticsAndTracesOfThePluginReplaceNone) {
  const std::string before = read_file(folder_ / "r.geojson");
  const std::string alone = "segment synthetic:300x300 --mpp 0.5 --export none --quiet --out o --roi r.geojson";
  for (const std::string variable : {"STARPATH_STATS", "STARPATH_TRACE"}) {
    expect_kept("r.geojson", run(variable + "=r.geojson", alone), before);
    expect_kept("r.geojson",
                run(variable + "=./r.geojson", std::string("segment ") + kStudy + " --out s --roi r.geojson"), before);
  }
  EXPECT_FALSE(fs::exists(folder_ / "o") || fs::exists(folder_ / "s")) << "something was done before";
  expect_done(alone);
  const std::string results = read_file(folder_ / "o/results.sqlite");
  for (const std::string option : {" --resume", " --overwrite"})
    expect_kept("o/results.sqlite", run("STARPATH_STATS=o/results.sqlite", alone + option), results);
}

TEST_F(InputFiles, ExportsOfGroupsReplaceNoRegionsOfTheStudy) {
  const std::string drawn = "s/synthetic_300x300_seed_1/nuclei.geojson";
  write(drawn, read_file(folder_ / "r.geojson"));
  expect_done(std::string("segment ") + kStudy + " --out s --roi " + drawn);
  write("two.geojson", kTwoHalves);
  expect_done("classify train s/synthetic_300x300_seed_2 --annotations two.geojson --out m.json");
  const std::string before = read_file(folder_ / drawn), study = read_file(folder_ / "s/study.sqlite");
  for (const char* command : {"cluster s --k 2", "classify run s --model m.json"}) {
    const auto outcome = run("", std::string(command) + " --quiet");
    expect_one_line(outcome, 2, {"nuclei.geojson", "made from", "--export"});
    EXPECT_TRUE(read_file(folder_ / drawn) == before) << command;
    EXPECT_TRUE(read_file(folder_ / "s/study.sqlite") == study) << command << ": something was done before";
  }
  expect_done("cluster s --k 2 --export csv --quiet");
}

TEST_F(InputFiles, AModelIsNoExportOfItsClasses) {
  expect_done("segment synthetic:300x300 --mpp 0.5 --export none --quiet --out o");
  write("two.geojson", kTwoHalves);
  expect_done("classify train o --annotations two.geojson --out o/nuclei.csv");
  const std::string before = read_file(folder_ / "o/nuclei.csv");
  expect_one_line(run("", "classify run o --model o/nuclei.csv --export csv --quiet"), 2, {"nuclei.csv", "made from"});
  EXPECT_TRUE(read_file(folder_ / "o/nuclei.csv") == before);
}

TEST_F(InputFiles, PartsOfASlideAreTheSlideToo) {
  expect_done("segment synthetic:300x300 --mpp 0.5 --export none --quiet --out o");
  write("scan.mrxs", "x");
  write("scan/Data0000.dat", "pixels");
  const std::string dicom = std::string(128, '\0') + "DICM";
  write("d/1.dcm", dicom);
  write("d/2.dcm", dicom);
  const std::string call = "export o --format csv --overwrite --quiet --slide ";
  expect_kept("scan/Data0000.dat", run("", call + "scan.mrxs --out scan/Data0000.dat"), "pixels");
  expect_kept("d/2.dcm", run("", call + "d/1.dcm --out d/2.dcm"), dicom);
}

}  // namespace
}  // namespace starpath
