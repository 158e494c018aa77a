// A segmentation by a network in an ONNX file on several ranks: the same bytes as one process.
#include <gtest/gtest.h>

#include "tests/apps/command.hpp"

#if defined(STARPATH_MPIRUN) && STARPATH_RUNS_NETWORKS
#include "tests/mpi/ranks.hpp"
#include "tests/support/distance_models.hpp"

namespace starpath {
namespace {

TEST(NetworkRun, TwoRanksGiveTheBytesOfOneProcess) {
  const test::TemporaryFolder folder;
  support::darkness_model(64).write(folder / "dark.onnx");
  std::ofstream(folder / "dark.toml") << support::darkness_description(64, 8);
  support::hover_model(64).write(folder / "hover.onnx");
  std::ofstream(folder / "hover.toml") << support::hover_description(64, 8);
  support::star_model(64).write(folder / "stars.onnx");
  std::ofstream(folder / "stars.toml") << support::star_description(64, 12);
  for (const std::string network : {"dark", "hover", "stars"}) {
    SCOPED_TRACE(network);
    const auto run = [&](const std::string& out) {
      return STARPATH_PROGRAM " segment synthetic:900x700,seed=7,mpp=0.5 --cpus 1 --quiet --tile " +
             std::string(network == "stars" ? "352" : "256") + " --network " + folder / (network + ".onnx") +
             " --out " + folder / (network + out);
    };
    const auto alone = test::shell(run("alone")), two = test::shell(test::launcher(2) + run("two"));
    ASSERT_EQ(alone.code, 0) << alone.output;
    ASSERT_EQ(two.code, 0) << two.output;
    test::expect_same_results(test::kSegmentation, folder / (network + "two"), folder / (network + "alone"));
    EXPECT_GT(test::read_file(folder / (network + "alone/nuclei.csv")).size(), 10000u);
  }
}

}  // namespace
}  // namespace starpath
#endif
