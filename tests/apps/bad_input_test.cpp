// Bad input from outside: one clear line that says what, where and what to do, and the documented exit code.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "io/results/tile_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::shell;
using test::TemporaryFolder;

std::string segment(const std::string& rest) { return "starpath segment " + rest; }

TEST(BadInput, MissingSlide) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("/nowhere/slide.svs --out " + folder / "out")), 3, {"/nowhere/slide.svs"});
}

TEST(BadInput, NoImage) {
  const TemporaryFolder folder;
  std::ofstream(folder / "notes.svs") << "this is a text";
  expect_one_line(shell(segment(folder / "notes.svs" + " --out " + folder / "out")), 3, {"notes.svs"});
}

TEST(BadInput, AFolderInPlaceOfAFile) {
  const TemporaryFolder folder;
  const std::string place = folder / "place", out = " --out " + folder / "out";
  std::filesystem::create_directory(place);
  for (const std::string& command :
       {"segment synthetic:100x100 --roi " + place + out, "segment synthetic:100x100 --exclude " + place + out,
        "nbia run synthetic:100x100 --model " + place + out, "classify run " + place + " --model " + place,
        "profile import " + place + " --profile " + folder / "p.sqlite"}) {
    SCOPED_TRACE(command);
    expect_one_line(shell("starpath " + command), 3, {place, "Is a directory", "check the path"});
  }
  expect_one_line(shell("starpath profile import - --profile " + folder / "p.sqlite" + " < " + place), 3,
                  {"-: ", "Is a directory"});
}

TEST(BadInput, ANameThatIsTooLong) {
  const TemporaryFolder folder;
  const std::string name = folder / std::string(300, 'n');
  for (const char* command : {"verify ", "info ", "cluster ", "report ", "cohort ", "export --format csv ",
                              "classify train --annotations a.geojson --out m.json "}) {
    SCOPED_TRACE(command);
    const auto run = shell("starpath " + (command + name));
    expect_one_line(run, 3, {name, "File name too long", "; check the path"});
    EXPECT_EQ(run.output.find("permissions"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("filesystem"), std::string::npos) << run.output;
  }
  ASSERT_EQ(shell(segment("synthetic:100x100 --quiet --export none --out " + folder / "out")).code, 0);
  for (const std::string& command :
       {"export " + folder / "out --quiet --format csv", std::string("nbia train /nowhere"),
        std::string("classify train /nowhere --annotations a.geojson")}) {
    SCOPED_TRACE(command);
    expect_one_line(shell("starpath " + command + " --out " + name), 4, {name, "File name too long"});
  }
}

TEST(BadInput, ZeroSizeImage) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("synthetic:0x100 --out " + folder / "out")), 2, {"synthetic"});
  std::ofstream(folder / "empty.png").flush();
  expect_one_line(shell(segment(folder / "empty.png" + " --out " + folder / "out")), 3, {"empty.png"});
}

TEST(BadInput, OnePixelImageIsFine) {
  const TemporaryFolder folder;
  const auto run = shell(segment("synthetic:1x1 --quiet --out " + folder / "out"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(test::outlines(folder / "out").empty());
}

TEST(BadInput, UnknownPolicy) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("synthetic:100x100 --policy fastest --out " + folder / "out")), 2,
                  {"fastest", "pats", "dmda"});
  expect_one_line(shell("export STARPU_SCHED=fastest; " + segment("synthetic:100x100 --out " + folder / "out")), 2,
                  {"fastest"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(BadInput, TileSmallerThanTheHalo) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("synthetic:100x100 --tile 64 --halo 128 --out " + folder / "out")), 2,
                  {"--tile 64", "--halo 128"});
}

TEST(BadInput, RegionOutsideTheSlide) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("synthetic:100x100 --roi 500,0,10,10 --out " + folder / "out")), 2,
                  {"--roi", "100x100"});
}

TEST(BadInput, NoRoomForTheOutput) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("synthetic:100x100 --out /proc/starpath")), 4, {"/proc/starpath"});
  std::ofstream(folder / "file") << "in the way";
  expect_one_line(shell(segment("synthetic:100x100 --out " + folder / "file/out")), 4, {"file/out"});
}

TEST(BadInput, ResultsInTheWayAreKept) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell(segment("synthetic:200x200 --quiet --out " + folder / "out")).code, 0);
  const std::string before = test::read_file(folder / "out/results.sqlite");
  expect_one_line(shell(segment("synthetic:200x200 --out " + folder / "out")), 4, {"--resume", "--overwrite"});
  expect_one_line(shell(segment("synthetic:201x200 --resume --out " + folder / "out")), 5, {"slide"});
  expect_one_line(shell(segment("synthetic:200x200 --tile 512 --resume --out " + folder / "out")), 5, {"tile", "512"});
  EXPECT_EQ(before, test::read_file(folder / "out/results.sqlite"));
}

TEST(BadInput, ADamagedResultsFileIsNotTouched) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "out");
  std::ofstream(folder / "out/results.sqlite") << std::string(5000, 'x');
  expect_one_line(shell(segment("synthetic:200x200 --resume --out " + folder / "out")), 5, {"results.sqlite"});
  EXPECT_EQ(test::read_file(folder / "out/results.sqlite"), std::string(5000, 'x'));
}

TEST(BadInput, MoreGpusThanThereAre) {
  const TemporaryFolder folder;
  expect_one_line(shell(segment("synthetic:200x200 --quiet --gpus 1000 --out " + folder / "out")), 7,
                  {"--gpus 1000", "ask for fewer"});
}

TEST(BadInput, AFullDiskKeepsWhatIsFinished) {
  const TemporaryFolder folder;
  const std::string slide = "synthetic:2048x2048,seed=8 --mpp 0.5 --tile 256 --halo 64 --quiet --out " + folder / "out";
  // A limit on file size stands for the disk; SIGXFSZ ignored makes writes fail as they do when it is full.
  const auto run = shell("ulimit -f 600; trap '' XFSZ; " + segment(slide));
  expect_one_line(run, 4, {"results.sqlite", "--resume"});
  const auto resumed = shell(segment(slide + " --resume"));
  ASSERT_EQ(resumed.code, 0) << resumed.output;
  ASSERT_EQ(
      shell(segment("synthetic:2048x2048,seed=8 --mpp 0.5 --tile 256 --halo 64 --quiet --out " + folder / "whole"))
          .code,
      0);
  EXPECT_EQ(test::read_file(folder / "out/nuclei.csv"), test::read_file(folder / "whole/nuclei.csv"));
}

TEST(BadInput, ATileThatFailsToDecodeIsReportedAndTheOthersAreFinished) {
  const TemporaryFolder folder;
  support::write_tiled_tiff(folder / "slide.tif");
  support::damage_tile(folder / "slide.tif", 5);  // second row, second column
  const auto run = shell(segment(folder / "slide.tif" + " --mpp 0.5 --tile 256 --halo 32 --out " + folder / "out"));
  EXPECT_EQ(run.code, 6) << run.output;
  EXPECT_NE(run.output.find("tile 5 at x=256 y=256"), std::string::npos) << run.output;
  const auto tiles = io::TileStore(io::ResultStore::open(folder / "out/results.sqlite")).tiles();
  ASSERT_EQ(tiles.size(), 16u);
  // Tiles that lose nuclei to the damaged one fail as well; the far ones must not.
  EXPECT_EQ(tiles[5].state, io::TileState::failed);
  EXPECT_FALSE(tiles[5].error.empty());
  for (const std::size_t far : {3u, 7u, 11u, 12u, 13u, 14u, 15u})
    EXPECT_NE(tiles[far].state, io::TileState::failed) << far;
}

}  // namespace
}  // namespace starpath
