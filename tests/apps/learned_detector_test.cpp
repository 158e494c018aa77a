// `--detector learned` from the command line: bytes, resuming, and weights that cannot be taken.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/detector_file.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::shell;
using test::TemporaryFolder;

/// A folder with the weights of a network that finds what is dark, dark.json.
class LearnedDetectorCommand : public testing::Test {
 protected:
  LearnedDetectorCommand() { write("dark.json", weights_.dump()); }

  void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  /// Runs into the folder `out` with these weights.
  std::string run_text(const std::string& out, const std::string& weights, const std::string& more = "") const {
    return "starpath segment synthetic:900x700,seed=7,mpp=0.5 --quiet --export none --detector learned "
           "--detector-weights " +
           folder_ / weights + " --out " + folder_ / out + " " + more;
  }

  const TemporaryFolder folder_;
  nlohmann::json weights_ = support::detector_json(support::darkness_network(), 128, 118);
};

TEST_F(LearnedDetectorCommand, FindsTheSameNucleiUnderEachPolicyAndInTilesOfAnySize) {
  ASSERT_EQ(shell(run_text("one", "dark.json", "--cpus 1")).code, 0);
  const auto expected = test::outlines(folder_ / "one");
  EXPECT_GT(expected.size(), 60u);
  ASSERT_EQ(shell(run_text("two", "dark.json", "--cpus 2 --policy apex --window 2")).code, 0);
  EXPECT_EQ(test::outlines(folder_ / "two"), expected);
  ASSERT_EQ(shell(run_text("tiles", "dark.json", "--tile 256 --policy eft")).code, 0);
  EXPECT_EQ(test::outlines(folder_ / "tiles"), expected);
}

TEST_F(LearnedDetectorCommand, WeightsArePartOfTheRun) {
  ASSERT_EQ(shell(run_text("out", "dark.json")).code, 0);
  EXPECT_EQ(shell(run_text("out", "dark.json", "--resume")).code, 0);
  weights_["thresholds"]["core"] = 117;
  write("other.json", weights_.dump());
  expect_one_line(shell(run_text("out", "other.json", "--resume")), 5, {"detector_weights"});
}

TEST_F(LearnedDetectorCommand, RunsWithTheWeightsOfTheProgram) {
  ASSERT_EQ(shell("starpath segment synthetic:300x200,seed=7,mpp=0.5 --quiet --export none --detector learned --out " +
                  folder_ / "out")
                .code,
            0);
}

TEST_F(LearnedDetectorCommand, SaysInOneLineWhatIsWrongWithWeights) {
  weights_["layers"][3]["weights"][5] = 128;
  write("large.json", weights_.dump());
  expect_one_line(shell(run_text("out", "large.json")), 3,
                  {"large.json", "'weights' of layer 'encoder1b' is 128", "-127 to 127"});
  write("half.json", weights_.dump().substr(0, 3000));
  expect_one_line(shell(run_text("out", "half.json")), 3, {"half.json", "damaged (byte"});
  expect_one_line(shell(run_text("out", "none.json")), 3, {"none.json"});
  expect_one_line(shell("starpath segment synthetic:300x200 --out " + folder_ / "out" +
                        " --detector levels --detector-weights " + folder_ / "dark.json"),
                  2, {"--detector learned"});
  expect_one_line(shell(run_text("out", "dark.json", "--work-mpp 0.25")), 2, {"--work-mpp 0.25", "0.5 um/px"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

}  // namespace
}  // namespace starpath
