// Pipelines on several ranks of this machine: the same bytes as one process.
#include <gtest/gtest.h>

#include "tests/apps/command.hpp"

#ifdef STARPATH_MPIRUN
#include "tests/mpi/ranks.hpp"
#endif

namespace starpath {
namespace {

using test::shell;
using test::TemporaryFolder;

#ifdef STARPATH_MPIRUN

using test::launcher;

class JobRun : public testing::TestWithParam<test::Pipeline> {
 protected:
  std::string run(const std::string& out, const std::string& options = "") const {
    return GetParam().run(GetParam().slide, out, options);
  }
  void expect_results_of_one_process(const std::string& out) const {
    test::expect_same_results(GetParam(), out, test::alone(GetParam()));
  }
};

TEST_P(JobRun, AnyNumberOfRanksGivesTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    const std::string out = folder / std::to_string(ranks);
    const auto ran = shell(launcher(ranks) + run(out));
    ASSERT_EQ(ran.code, 0) << ran.output;
    EXPECT_NE(ran.output.find("(" + std::to_string(ranks) + (ranks == 1 ? " worker)" : " workers)")), std::string::npos)
        << ran.output;
    expect_results_of_one_process(out);
  }
}

TEST_P(JobRun, WithNothingLeftToDo) {
  const TemporaryFolder folder;
  std::filesystem::copy(test::alone(GetParam()), folder / "out");
  const auto ran = shell(launcher(2) + run(folder / "out", "--json --resume"));
  ASSERT_EQ(ran.code, 0) << ran.output;
  EXPECT_NE(
      ran.output.find("\"tiles_resumed\":" + std::to_string(test::tiles_in(GetParam(), folder / "out/results.sqlite"))),
      std::string::npos)
      << ran.output;
  expect_results_of_one_process(folder / "out");
}

TEST_P(JobRun, FewerTilesThanRanks) {
  const TemporaryFolder folder;
  const auto ran = shell(launcher(4) + GetParam().run(GetParam().few_tiles, folder / "out", "--quiet"));
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_LT(test::tiles_in(GetParam(), folder / "out/results.sqlite"), 4);
}

TEST_P(JobRun, ARankThatStartsLateAndIsTenTimesSlowerChangesNothing) {
  const TemporaryFolder folder;
  // From the first byte of its results on, rank 1 is held nine tenths of the time.
  const std::string slow = "sh -c 'sleep 1; (until [ -e " + folder / "out/results.rank-1.sqlite" +
                           " ] || ! kill -0 $$; do sleep 0.01; done; while kill -STOP $$; do sleep 0.09; kill -CONT $$;"
                           " sleep 0.01; done) 2>/dev/null & exec " +
                           run(folder / "out") + "'";
  const auto ran = shell(test::two_ranks(run(folder / "out"), slow));
  ASSERT_EQ(ran.code, 0) << ran.output;
  expect_results_of_one_process(folder / "out");
}

INSTANTIATE_TEST_SUITE_P(Of, JobRun, testing::ValuesIn(test::pipelines()), test::name_of);

TEST(ClusterRun, ResultsInTheWayAreToldAsInOneProcess) {
  const TemporaryFolder folder;
  const std::string run = test::kSegmentation.run(test::kSegmentation.few_tiles, folder / "out", "--quiet");
  ASSERT_EQ(shell(run).code, 0);
  test::expect_says(shell(launcher(2) + run), 4, {"choose another --out\n"});
}

TEST(ClusterRun, ARecordIsOfOneProcess) {
  const TemporaryFolder folder;
  const auto ran = shell(launcher(2) + test::kSegmentation.run(test::kSegmentation.slide, folder / "out",
                                                               "--record " + folder / "record.json"));
  EXPECT_EQ(ran.code, 2) << ran.output;
  EXPECT_NE(ran.output.find("without mpirun"), std::string::npos) << ran.output;
}

TEST(ClusterRun, ACommandThatRanksDoNotShareIsRefusedOnce) {
  for (const char* command : {"report study", "nbia train x --out m", "info synthetic:512x512"}) {
    const auto ran = shell(launcher(2) + STARPATH_PROGRAM " " + command);
    EXPECT_EQ(ran.code, 2) << ran.output;
    const std::string said = "is for one process: start without mpirun";
    EXPECT_NE(ran.output.find(said), std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find(said), ran.output.rfind(said)) << ran.output;
  }
  test::expect_says(shell(launcher(2) + STARPATH_PROGRAM " policies"), 0, {"pats"});
}

#else

TEST(ClusterRun, ABuildWithoutMpiRefusesMpirun) {
  const TemporaryFolder folder;
  const auto run = shell("OMPI_COMM_WORLD_SIZE=2 starpath segment synthetic:300x300 --out " + folder / "out");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.output.find("without MPI"), std::string::npos) << run.output;
}

#endif

}  // namespace
}  // namespace starpath
