// Parameters of the segmentation from the command line: said, shown, checked, stored, and what the papers' give.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::shell;
using test::TemporaryFolder;

constexpr const char* kSmallRun = "starpath segment synthetic:600x500,seed=7,mpp=0.5 --quiet --export none ";

nlohmann::json stored_parameters(const std::string& folder) {
  return nlohmann::json::parse(io::ResultStore::open(folder + "/results.sqlite").key().parameters).at("parameters");
}

/// Of which pixels belong to which nucleus.
std::uint64_t digest(const std::string& folder) {
  std::uint64_t value = 0xcbf29ce484222325;
  const auto add = [&](std::int64_t number) { value = (value ^ static_cast<std::uint64_t>(number)) * 0x100000001b3; };
  for (const auto& [first, contour] : test::outlines(folder)) {
    add(first.first), add(first.second);
    for (const io::Point& point : contour) add(point.x), add(point.y);
  }
  return value;
}

TEST(Parameters, AreShownWithoutASlide) {
  expect_says(shell("starpath segment --show-parameters"), 0, {"G1", "um2", "0..254", "nscale", "--set", "paper "});
  const auto shown = shell("starpath segment --set G1=61 --show-parameters --json");
  EXPECT_EQ(shown.code, 0) << shown.output;
  const auto table = nlohmann::json::parse(shown.output);
  const auto g1 = std::ranges::find_if(table, [](const auto& row) { return row.at("name") == "G1"; });
  ASSERT_NE(g1, table.end());
  EXPECT_EQ(g1->at("value"), 61);
  EXPECT_EQ(g1->at("paper"), 80);
  EXPECT_EQ(g1->at("default"), "auto");
}

TEST(Parameters, ThatCannotBeAreOneLine) {
  const auto refused = [](const std::string& said, const std::vector<std::string>& words) {
    expect_one_line(shell("starpath segment synthetic:100x100 --out /nowhere/out " + said), 2, words);
  };
  refused("--set G9=4", {"'G9'", "did you mean 'G"});
  refused("--set min_aera_um2=4", {"did you mean 'min_area_um2'"});
  refused("--set G1=300", {"G1=300", "0 to 254", "auto"});
  refused("--set G1=60.5", {"G1=60.5", "whole number"});
  refused("--set opening_um=0", {"opening_um=0", "0.5 to 16 (um)"});
  refused("--set min_area_um2=ten", {"min_area_um2=ten", "number"});
  refused("--set min_area_um2", {"NAME=VALUE"});
  refused("--set G1=20,G2=30", {"G2=30", "G1=20", "at most"});
  refused("--set min_area_um2=20 --set max_area_um2=20", {"min_area_um2=20", "max_area_um2=20", "less than"});
  const test::TemporaryFolder folder;
  std::ofstream(folder / "p.toml") << "G1 = i\n";  // toml++ quotes the end of the line
  expect_one_line(shell("starpath segment synthetic:100x100 --out o --parameters " + folder / "p.toml"), 3,
                  {"p.toml:1"});
  std::ofstream(folder / "key.toml") << "\"G\\n1\" = 3\n";
  refused("--parameters " + folder / "key.toml", {"key.toml:1"});
  refused("--preset papers", {"'papers'", "default, paper"});
  expect_one_line(shell("starpath segment synthetic:100x100 --out o --parameters /nowhere/p.toml"), 3,
                  {"/nowhere/p.toml", "TOML"});
  expect_one_line(shell("starpath segment synthetic:100x100 --out " + folder / "out" + " --parameters " + folder / ""),
                  3, {folder / "", "Is a directory", "TOML"});
}

TEST(Parameters, ComeFromAFileAndWhatIsSaidComesLater) {
  const TemporaryFolder folder;
  std::ofstream(folder / "p.toml") << "G1 = 70   # darker cores\nG2 = 40\nmin_area_um2 = 8\n";
  ASSERT_EQ(
      shell(kSmallRun + ("--parameters " + folder / "p.toml") + " --set G2=41,split_um=0.7 --out " + folder / "out")
          .code,
      0);
  const auto stored = stored_parameters(folder / "out");
  EXPECT_EQ(stored.at("G1"), 70);
  EXPECT_EQ(stored.at("G2"), 41);
  EXPECT_EQ(stored.at("min_area_um2"), 8);
  EXPECT_EQ(stored.at("split_um"), 0.7);
  EXPECT_EQ(stored.at("background_level"), "auto");

  std::ofstream(folder / "bad.toml") << "G2 = 40\nG1 = \"high\"\n";
  expect_one_line(shell(kSmallRun + ("--parameters " + folder / "bad.toml") + " --out " + folder / "bad"), 2,
                  {"bad.toml:2", "G1=high"});
  std::ofstream(folder / "bad.toml") << "G2 40\n";
  expect_one_line(shell(kSmallRun + ("--parameters " + folder / "bad.toml") + " --out " + folder / "bad"), 3,
                  {"bad.toml:1", "TOML"});
}

TEST(Parameters, BelongToTheRun) {
  const TemporaryFolder folder;
  const std::string run = std::string(kSmallRun) + "--out " + folder / "out";
  ASSERT_EQ(shell(run + " --set G1=70,G2=40").code, 0);
  expect_one_line(shell(run + " --set G1=71,G2=40 --resume"), 5, {"G1 was 70 and is 71"});
  EXPECT_EQ(shell(run + " --set G2=40 --set G1=70 --resume").code, 0);
  const auto before = test::outlines(folder / "out");
  ASSERT_EQ(shell(run + " --set G1=120,G2=90 --overwrite").code, 0);
  EXPECT_NE(before, test::outlines(folder / "out"));
}

TEST(Parameters, SayWhichFamiliesAreMeasured) {
  const TemporaryFolder folder;
  const std::string run =
      "starpath segment synthetic:600x500,seed=7,mpp=0.5 --quiet --export csv --out " + folder / "out";
  expect_one_line(shell(run + " --families shape,colour"), 2,
                  {"'colour'", "shape, intensity, gradient, edges, texture"});
  expect_one_line(shell(run + " --families shape"), 2, {"stain check needs intensity", "--set stain_check=0"});
  ASSERT_EQ(shell(run + " --families shape,intensity --features all").code, 0);
  const std::string csv = test::read_file(folder / "out/nuclei.csv"), header = csv.substr(0, csv.find('\n'));
  EXPECT_NE(header.find("cytoplasm_gray_kurtosis"), std::string::npos) << header;
  for (const char* other : {"gradient", "canny", "sobel", "haralick"})
    EXPECT_EQ(header.find(other), std::string::npos) << header;
  expect_one_line(shell(run + " --resume"), 5, {"families was \"shape,intensity\" and is not set"});
  expect_one_line(shell(run + " --families shape,intensity,edges --resume"), 5, {"and is \"shape,intensity,edges\""});
  EXPECT_EQ(shell(run + " --families intensity,shape --resume").code, 0);
}

TEST(Parameters, GoIntoTheGeoJson) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      shell("starpath segment synthetic:300x300 --quiet --export geojson --set G1=70 --out " + folder / "out").code, 0);
  const auto json = nlohmann::json::parse(test::read_file(folder / "out/nuclei.geojson"));
  EXPECT_EQ(json.at("starpath").at("run").at("parameters").at("G1"), 70);
  EXPECT_EQ(json.at("starpath").at("version"), STARPATH_VERSION);
}

/// The number was computed by the starpath of before there were parameters.
TEST(Parameters, OfThePapersGiveWhatTheFirstReleaseGave) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell("starpath segment synthetic:1500x1200,seed=7,mpp=0.5 --preset paper --quiet --export none --out " +
                  folder / "out")
                .code,
            0);
  EXPECT_EQ(digest(folder / "out"), 10031143673841474194U);
}

}  // namespace
}  // namespace starpath
