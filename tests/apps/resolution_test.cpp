// A resolution can't go silently wrong: where it comes from, what is told, and working at others than 0.5 um/px.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/slides/slide.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::shell;
using test::TemporaryFolder;

nlohmann::json last_line(const std::string& output) {
  const auto end = output.find_last_not_of('\n');
  return nlohmann::json::parse(output.substr(output.rfind('\n', end) + 1));
}

io::RunInfo info(const std::string& folder) { return io::ResultStore::open(folder + "/results.sqlite").info(); }

TEST(SlideResolution, OfTheFileIsToldAndStored) {
  const TemporaryFolder folder;
  const auto run = shell("starpath segment synthetic:300x300,mpp=0.25 --export none --out " + folder / "out");
  expect_says(run, 0, {"0.25 um/px, stated by the slide (synthetic)"});
  // Every warning of a resolution says --mpp; of so few nuclei the stains may be warned of.
  EXPECT_EQ(run.output.find("--mpp"), std::string::npos) << run.output;
  EXPECT_EQ(info(folder / "out").mpp_source, "file");
  EXPECT_EQ(info(folder / "out").slide_mpp, 0.25);
}

TEST(SlideResolution, ThatIsSaidWinsAndIsWarnedOfWhenNoSlideHasIt) {
  const TemporaryFolder folder;
  const auto run =
      shell("starpath segment synthetic:300x300,mpp=0.25 --mpp 0.5 --export none --json --out " + folder / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto summary = last_line(run.output);
  EXPECT_EQ(summary.at("resolution").at("source"), "said");
  EXPECT_EQ(summary.at("resolution").at("mpp"), 0.5);
  EXPECT_TRUE(summary.at("warnings").empty());
  expect_says(shell("starpath info synthetic:300x300 --mpp 3"), 0, {"warning", "3 um/px", "0.05 to 2"});
}

TEST(SlideResolution, ThatNobodyKnowsIsLoud) {
  const TemporaryFolder folder;
  support::write_tiled_tiff(folder / "dark.tif", 1);
  expect_says(shell("starpath info " + folder / "dark.tif"), 0, {"warning", "does not say its resolution", "--mpp"});
  const auto run = shell("starpath segment " + folder / "dark.tif" + " --export none --quiet --out " + folder / "out");
  const std::string warning = "does not say its resolution";
  expect_says(run, 0, {"warning", warning, "--mpp"});
  EXPECT_EQ(run.output.find(warning), run.output.rfind(warning)) << "told twice: " << run.output;
  const auto again =
      shell("starpath segment " + folder / "dark.tif" + " --export none --json --resume --out " + folder / "out");
  EXPECT_EQ(last_line(again.output).at("warnings").size(), 1U) << again.output;
  EXPECT_EQ(info(folder / "out").mpp_source, "unknown");
  EXPECT_EQ(info(folder / "out").slide_mpp, 0);
}

/// Sizes in micrometres follow the grid: nearly the same nuclei, whatever tiles they are found in.
TEST(SlideResolution, OfTheWorkMayBeFinerOrCoarser) {
  const TemporaryFolder folder;
  const std::string run = "starpath segment synthetic:2400x2000,seed=5,mpp=0.25 --preset paper --export none --quiet ";
  ASSERT_EQ(shell(run + "--out " + folder / "half").code, 0);
  ASSERT_EQ(shell(run + "--work-mpp 0.25 --out " + folder / "fine").code, 0);
  ASSERT_EQ(shell(run + "--work-mpp 0.25 --tile 512 --out " + folder / "tiles").code, 0);
  ASSERT_EQ(shell(run + "--work-mpp 1 --out " + folder / "coarse").code, 0);
  EXPECT_EQ(info(folder / "fine").width, 2400);
  EXPECT_EQ(info(folder / "half").width, 1200);
  EXPECT_EQ(info(folder / "coarse").width, 600);
  const auto count = [&](const char* name) { return static_cast<double>(test::outlines(folder / name).size()); };
  EXPECT_NEAR(count("fine"), count("half"), 0.1 * count("half"));
  EXPECT_NEAR(count("coarse"), count("half"), 0.3 * count("half"));
  EXPECT_EQ(test::outlines(folder / "tiles"), test::outlines(folder / "fine"));
}

TEST(SlideResolution, OfTheWorkHasARange) {
  for (const char* mpp : {"0.1", "3", "-1"})
    expect_one_line(shell(std::string("starpath segment synthetic:100x100 --out o --work-mpp ") + mpp), 2,
                    {"--work-mpp", "0.2 to 2"});
}

}  // namespace
}  // namespace starpath
