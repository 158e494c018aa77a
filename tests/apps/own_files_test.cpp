// No command replaces a file that Starpath did not write, and each says so before the work.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/apps/work_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::read_file;

class OwnFiles : public test::WorkFolder {
 protected:
  /// `name` is what another program wrote.
  void expect_refused(const std::string& command, const std::string& name, const std::string& environment = "") const {
    expect_kept(name, command + " --quiet", 4, {name, "is no file that `"}, environment);
  }
};

constexpr const char* kSegment = "segment synthetic:300x300 --mpp 0.5 --out o --export ";

TEST_F(OwnFiles, ExportsOfNucleiReplaceTheirOwnKindOnly) {
  for (const auto& [name, file] : {std::pair("geojson", "nuclei.geojson"),
                                   {"csv", "nuclei.csv"},
                                   {"labels", "labels.tif"},
                                   {"parquet", "nuclei.parquet"},
                                   {"overlay", "overlay.png"},
                                   {"overlay.tif", "overlay.tif"}}) {
    write(std::string("o/") + file);
    expect_refused(std::string(kSegment) + name, std::string("o/") + file);
    EXPECT_FALSE(fs::exists(folder / "o/results.sqlite")) << "something was done before";
    fs::remove_all(folder / "o");
  }
  expect_done(std::string(kSegment) + "csv,overlay");
  for (const char* option : {" --resume", " --overwrite"}) expect_done(std::string(kSegment) + "csv,overlay" + option);
  write("o/nuclei.csv", "id,centroid_x,centroid_y\n1,2,3\n");
  for (const char* option : {" --resume", " --overwrite"})
    expect_refused(std::string(kSegment) + "csv" + option, "o/nuclei.csv");
  expect_refused("export o --format overlay,csv", "o/nuclei.csv");
  expect_done("export o --format overlay");
  expect_done(std::string(kSegment) + "overlay --overwrite");
  EXPECT_EQ(read_file(folder / "o/nuclei.csv"), "id,centroid_x,centroid_y\n1,2,3\n") << "removed with the results";
  write("table.csv");
  expect_refused("export o --format csv --out table.csv --overwrite", "table.csv");
}

TEST_F(OwnFiles, ADrawnFileIsNoExportOfFields) {
  const std::string call = "nbia run synthetic:600x600,pattern=stroma --model bundled --out o --export ";
  write(
      "o/regions.geojson",
      R"({"type":"FeatureCollection","features":[{"type":"Feature","id":"1a","geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]},"properties":{"objectType":"annotation"}}]})");
  expect_refused(call + "map,geojson", "o/regions.geojson");
  EXPECT_FALSE(fs::exists(folder / "o/results.sqlite"));
  fs::remove(folder / "o/regions.geojson");
  expect_done(call + "map,geojson,csv,overlay");
  expect_done(call + "map,geojson,csv,overlay --overwrite");
}

TEST_F(OwnFiles, AStudyAsksInEveryFolderFirst) {
  const std::string call =
      "segment synthetic:300x300,seed=1 synthetic:300x300,seed=2 --mpp 0.5 --out s --export geojson";
  write("s/synthetic_300x300_seed_2/nuclei.geojson");
  expect_refused(call, "s/synthetic_300x300_seed_2/nuclei.geojson");
  EXPECT_FALSE(fs::exists(folder / "s/study.sqlite"));
  fs::remove(folder / "s/synthetic_300x300_seed_2/nuclei.geojson");
  expect_done(call);
  write("s/synthetic_300x300_seed_2/nuclei.csv");
  expect_refused("cluster s --k 2 --export csv", "s/synthetic_300x300_seed_2/nuclei.csv");
  expect_refused("export s --format csv", "s/synthetic_300x300_seed_2/nuclei.csv");
  EXPECT_FALSE(fs::exists(folder / "s/synthetic_300x300_seed_1/nuclei.csv")) << "something was done before";
}

TEST_F(OwnFiles, ResultsOfAnotherProgramAreNotOverwritten) {
  write("o/results.sqlite");
  expect_refused(std::string(kSegment) + "none --overwrite", "o/results.sqlite");
  write("s/study.sqlite");
  expect_refused("segment synthetic:300x300,seed=1 synthetic:300x300,seed=2 --mpp 0.5 --out s --overwrite",
                 "s/study.sqlite");
}

TEST_F(OwnFiles, ThePlugInReplacesItsOwnFilesOnly) {
  const std::string call = std::string(kSegment) + "none --overwrite";
  for (const std::string variable : {"STARPATH_TRACE", "STARPATH_STATS"}) {
    write("notes.json", R"([{"name":"thread_name","ph":"M","pid":7,"tid":1,"args":{"name":"main"}}])");
    expect_refused(call, "notes.json", variable + "=notes.json");
    EXPECT_FALSE(fs::exists(folder / "o")) << "something was done before";
    for (int i = 0; i < 2; ++i) expect_done(call, variable + "=file.json");
    fs::remove(folder / "file.json");
    fs::remove_all(folder / "o");
  }
}

}  // namespace
}  // namespace starpath
