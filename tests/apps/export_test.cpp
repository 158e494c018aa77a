// `starpath export` from outside: what a run wrote, again and otherwise.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/sqlite.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/output_lock.hpp"
#include "io/results/result_store.hpp"
#include "io/results/tile_store.hpp"
#include "io/slides/slide.hpp"
#include "tests/apps/command.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::shell;

/// One run. Each test has a copy of it.
class ExportTest : public ::testing::Test {
 protected:
  ExportTest() {
    static const test::SharedFolder run("exported_slide", [](const test::SharedFolder& folder) {
      EXPECT_EQ(shell("starpath segment synthetic:700x600,seed=3 --quiet --out " + folder / "out").code, 0);
    });
    std::filesystem::copy(run / "out", results(), std::filesystem::copy_options::recursive);
  }
  std::string results() const { return path("out"); }
  std::string path(const std::string& name) const { return folder_ / name; }

  const test::TemporaryFolder folder_;
};

TEST_F(ExportTest, WritesWhatTheRunWrote) {
  const std::vector<std::string> names = {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"};
  std::vector<std::string> before;
  for (const std::string& name : names) before.push_back(read_file(results() + "/" + name));
  const auto outcome = shell("starpath export " + results() + " --format geojson,csv,labels,overlay");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_TRUE(read_file(results() + "/" + names[i]) == before[i]) << names[i];
}

TEST_F(ExportTest, FormatsAtOnceAreThoseOfOneAfterAnother) {
  const std::string source = results() + "/results.sqlite";
  const std::vector<std::string> files = {"nuclei.geojson.gz", "nuclei.csv.gz", "nuclei.parquet",
                                          "labels.tif",        "overlay.png",   "overlay.tif"};
  for (const std::string name : {"each", "all"}) {
    std::filesystem::create_directory(path(name));
    std::filesystem::copy(source, path(name));
  }
  for (const std::string format : {"geojson.gz", "csv.gz", "parquet", "labels", "overlay", "overlay.tif"})
    ASSERT_EQ(shell("starpath export " + path("each") + " --quiet --format " + format).code, 0);
  const auto outcome =
      shell("starpath export " + path("all") + " --json --format geojson.gz,csv.gz,parquet,labels,overlay,overlay.tif");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  for (const std::string& file : files)
    EXPECT_TRUE(read_file(path("all/" + file)) == read_file(path("each/" + file))) << file;
  std::istringstream lines(outcome.output);
  std::string line;
  std::getline(lines, line);
  const auto phase = nlohmann::json::parse(line);
  EXPECT_EQ(phase["event"], "phase");
  for (const std::string& file : files) EXPECT_NE(phase["text"].get<std::string>().find(file), std::string::npos);
}

TEST_F(ExportTest, OneThatFailsLeavesTheOthersWhole) {
  const std::string out = path("blocked");
  std::filesystem::create_directory(out);
  std::filesystem::copy(results() + "/results.sqlite", out);
  ASSERT_GT(std::filesystem::file_size(results() + "/nuclei.geojson"), 400 * 512U);
  ASSERT_LT(std::filesystem::file_size(results() + "/nuclei.csv"), 400 * 512U);
  expect_one_line(
      shell("sh -c 'ulimit -f 400; exec " STARPATH_PROGRAM " export " + out + " --quiet --format geojson,csv'"), 4,
      {"nuclei.geojson", "too large"});
  EXPECT_TRUE(read_file(out + "/nuclei.csv") == read_file(results() + "/nuclei.csv"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out), {}), 2) << "nothing half-written";
}

TEST_F(ExportTest, AFolderInThePlaceOfOneIsNamedBeforeAnyIsWritten) {
  const std::string out = path("folder");
  std::filesystem::create_directories(out + "/nuclei.csv");
  std::filesystem::copy(results() + "/results.sqlite", out);
  expect_one_line(shell("starpath export " + out + " --quiet --format geojson,csv"), 4, {"nuclei.csv: is a folder"});
  EXPECT_FALSE(std::filesystem::exists(out + "/nuclei.geojson"));
}

TEST_F(ExportTest, AnOverlayHasAGapWhereTheSlideCannotBeRead) {
  support::write_tiled_tiff(path("damaged.tif"));
  support::damage_tile(path("damaged.tif"), 5);
  const std::string out = path("of_damaged");
  const auto ran = shell("starpath segment " + path("damaged.tif") + " --mpp 0.5 --quiet --out " + out);
  expect_says(ran, 6, {"damaged.tif: cannot read level 0, region x=256 y=256 256x256", "1 of 1 tile failed"});
  for (const std::string name : {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"})
    EXPECT_TRUE(std::filesystem::is_regular_file(out + "/" + name)) << name;
  const auto overlay = io::open_slide(out + "/overlay.png");
  const auto pixel = [&](int x, int y) {
    Rgb colour{};
    overlay->read(0, x, y, {&colour, 1, 1, 1});
    return colour;
  };
  const Rgb gap{128, 128, 128};
  for (const auto& [x, y] : {std::pair{256, 256}, {511, 511}, {300, 400}}) EXPECT_EQ(pixel(x, y), gap) << x << "," << y;
  for (const auto& [x, y] : {std::pair{255, 300}, {300, 255}, {512, 300}, {300, 512}}) EXPECT_NE(pixel(x, y), gap);
  expect_says(shell("starpath export " + out + " --format overlay --overwrite"), 0,
              {"overlay.png: ", "cannot read level 0, region x=256 y=256 256x256"});
}

TEST_F(ExportTest, WritesWhatIsNamedTwiceOnce) {
  const auto outcome = shell("starpath export " + results() + " --format csv,csv");
  test::expect_says(outcome, 0, {"/nuclei.csv  ("});
  EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 2) << outcome.output;  // that it is written, and the file
}

TEST_F(ExportTest, SaysWhoWritesSpatialData) {
  for (const std::string format : {"spatialdata", "csv,anndata", "zarr"})
    expect_says(shell("starpath export " + results() + " --format " + format), 2,
                {"pip install './python[spatialdata]'", "python3 -m starpath spatialdata RESULTS nuclei.zarr"});
}

TEST_F(ExportTest, PackedGeoJsonIsSmall) {
  const auto outcome = shell("starpath export " + results() + "/results.sqlite --format geojson.gz --json");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const std::string body = outcome.output.substr(0, outcome.output.size() - 1);
  const auto summary = nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
  EXPECT_EQ(summary["event"], "summary");
  EXPECT_EQ(summary["files"][0]["file"], results() + "/nuclei.geojson.gz");
  EXPECT_LE(summary["files"][0]["bytes"], summary["nuclei"].get<int>() * 350);
  EXPECT_TRUE(shell("gzip -dc " + results() + "/nuclei.geojson.gz").output == read_file(results() + "/nuclei.geojson"));
}

TEST_F(ExportTest, FeaturesAndDigitsAreTheUsers) {
  const auto outcome =
      shell("starpath export " + results() +
            " --format csv --features nucleus_haematoxylin_entropy --digits 3 --quiet --out /dev/stdout");
  ASSERT_EQ(outcome.code, 0);
  const std::string header = outcome.output.substr(0, outcome.output.find("\r\n"));
  EXPECT_TRUE(header.ends_with(",pixels,nucleus_haematoxylin_entropy")) << header;
  const std::string row =
      outcome.output.substr(header.size() + 2, outcome.output.find("\r\n", header.size() + 2) - header.size() - 2);
  EXPECT_LE(row.size() - row.rfind(',') - 1, 4u) << row;
}

TEST_F(ExportTest, BadWishesAreOneLineAndCostNothing) {
  const std::string before = read_file(results() + "/results.sqlite");
  std::ofstream(path("mine.csv")) << "precious";
  expect_says(shell("starpath export " + results() + " --format csv --features nope"), 2, {"'nope'", "basic, all"});
  expect_one_line(shell("starpath export " + results() + " --format csv --out " + path("mine.csv")), 4,
                  {"mine.csv", "exists already", "--overwrite"});
  EXPECT_EQ(read_file(path("mine.csv")), "precious");
  expect_one_line(
      shell("starpath export " + results() + " --format csv --overwrite --out " + results() + "/results.sqlite"), 2,
      {"what the export is made from"});
  EXPECT_TRUE(read_file(results() + "/results.sqlite") == before);
  expect_one_line(shell("starpath export " + results() + " --format csv,labels --out " + path("two")), 2, {"one file"});
  expect_one_line(shell("starpath export " + path("none") + " --format csv"), 3, {path("none")});
  expect_one_line(shell("starpath export " + path("mine.csv") + " --format csv"), 5, {"mine.csv"});
  expect_says(shell("starpath export " + results() + " --format overlay --slide synthetic:700x600,seed=4"), 5,
              {"is not the slide of the results", "--slide"});
  expect_one_line(shell("starpath segment synthetic:300x300 --features nope --out " + path("never")), 2, {"'nope'"});
}

TEST_F(ExportTest, ResultsOfAStoppedRunAreRefused) {
  std::filesystem::copy(results() + "/results.sqlite", path("stopped.sqlite"));
  Database(path("stopped.sqlite"), Database::Open::existing)
      .execute("DELETE FROM accepted; DELETE FROM run WHERE key = 'finished'");
  expect_one_line(shell("starpath export " + path("stopped.sqlite") + " --format csv"), 5, {"stopped", "--resume"});
}

TEST_F(ExportTest, ARunWithoutNucleiCountsOnceItHasEnded) {
  const std::string file = path("none/results.sqlite"), table = path("none/nuclei.csv");
  std::filesystem::create_directory(path("none"));
  std::filesystem::copy(results() + "/nuclei.csv", table);
  const std::string before = read_file(table);
  const io::ResultStore whole = io::ResultStore::open(results() + "/results.sqlite");
  const auto expect_stopped = [&] {
    expect_one_line(shell("starpath export " + path("none") + " --format csv"), 5, {"stopped", "--resume"});
    EXPECT_TRUE(read_file(table) == before);
  };
  io::ResultStore::create(file, whole.key(), whole.info());
  expect_stopped();
  io::TileRecord glass = io::TileStore(whole).tiles().at(0);
  glass.state = io::TileState::background;
  io::TileStore(io::ResultStore::resume(file, whole.key())).commit_tile(glass, {});
  expect_stopped();
  io::NucleusStore(io::ResultStore::resume(file, whole.key())).accept({});
  const auto outcome = shell("starpath export " + path("none") + " --format csv");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_FALSE(read_file(table) == before);
  EXPECT_EQ(shell("starpath verify " + path("none")).code, 0);
}

TEST_F(ExportTest, ARunThatLeftEveryObjectOutIsExported) {
  const std::string out = path("left_out");
  std::filesystem::create_directory(out);
  std::filesystem::copy(results() + "/results.sqlite", out);
  const io::RunKey key = io::ResultStore::open(out + "/results.sqlite").key();
  io::NucleusStore(io::ResultStore::resume(out + "/results.sqlite", key)).accept({});
  const auto outcome = shell("starpath export " + out + " --format csv,geojson");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST_F(ExportTest, ResultsThatHaveChangedAreRefused) {
  const std::string changes[] = {
      "UPDATE features SET nucleus_area = nucleus_area + 1 WHERE object = 1",
      "UPDATE objects SET contour = (SELECT contour FROM objects WHERE object = 2) WHERE object = 1",
      "DELETE FROM accepted WHERE id = 3"};
  for (const std::string& change : changes) {
    const std::string file = path("changed.sqlite");
    std::filesystem::copy(results() + "/results.sqlite", file, std::filesystem::copy_options::overwrite_existing);
    Database(file, Database::Open::existing).execute(change);
    expect_one_line(shell("starpath export " + file + " --format csv"), 5, {file, "is damaged"});
    EXPECT_FALSE(std::filesystem::exists(path("nuclei.csv"))) << change;
  }
}

TEST_F(ExportTest, NoRunReplacesTheResultsMeanwhile) {
  const std::string out = path("locked"), call = "starpath export " + out + " --format csv";
  std::filesystem::create_directory(out);
  std::filesystem::copy(results() + "/results.sqlite", out);
  {
    const io::OutputLock run(out);
    expect_one_line(shell(call), 4, {out, "in use by process"});
    EXPECT_FALSE(std::filesystem::exists(out + "/nuclei.csv"));
  }
  {
    const auto reader = io::OutputLock::for_reading(out);
    EXPECT_EQ(shell(call).code, 0) << "exports share the folder";
    expect_one_line(shell("starpath segment synthetic:300x300 --quiet --export none --overwrite --out " + out), 4,
                    {out, "in use by process"});
  }
  EXPECT_FALSE(std::filesystem::exists(out + "/results.lock")) << "the last one removes it";
}

TEST_F(ExportTest, SaysWhoseResultsHoldNoNuclei) {
  const std::string out = path("nbia"), file = out + "/results.sqlite", call = "starpath export --format csv " + out;
  ASSERT_EQ(
      shell("starpath nbia run synthetic:1024x1024,pattern=stroma --quiet --export none --cpus 1 --out " + out).code,
      0);
  expect_one_line(shell(call), 5, {file, "holds no nuclei", "`starpath nbia run --resume`"});
  Database(file, Database::Open::existing).execute("ALTER TABLE fields RENAME TO rows");  // as of a declared pipeline
  const auto rows = shell(call);
  expect_one_line(rows, 5, {file, "holds no nuclei", "results.csv", "`starpath workflow --resume`"});
  EXPECT_EQ(rows.output.find("nbia run"), std::string::npos) << rows.output;
}

}  // namespace
}  // namespace starpath
