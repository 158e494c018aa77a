// Streams between ranks of this machine: what is special to them.
#ifdef STARPATH_MPI_STREAMS
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/mpi/ranks.hpp"

namespace starpath {
namespace {

using test::expect_says;
using test::launcher;
using test::shell;
using test::TemporaryFolder;

const test::Pipeline kOdds = test::nbia_streams("odds");

/// What --json says at the end.
nlohmann::json summary_of(const test::Outcome& ran) {
  const auto begin = ran.output.find("{\"event\":\"summary\"");
  return nlohmann::json::parse(ran.output.substr(begin, ran.output.find('\n', begin) - begin));
}

class StreamsOf : public testing::TestWithParam<test::Pipeline> {};

TEST_P(StreamsOf, FromOneReaderToAllRanks) {
  const TemporaryFolder folder;
  for (const char* policy : {"odds", "ddwrr", "ddfcfs"}) {
    SCOPED_TRACE(policy);
    const test::Pipeline pipeline = test::streams(GetParam(), policy);
    const std::string out = folder / policy;
    const auto ran = shell(launcher(3) + pipeline.run(pipeline.slide, out, "--readers 1 --json"));
    ASSERT_EQ(ran.code, 0) << ran.output;
    EXPECT_GT(summary_of(ran)["traffic"]["buffers"], 0) << "ranks 1 and 2 got none";
    test::expect_same_results(pipeline, out, test::alone(pipeline));
  }
}

INSTANTIATE_TEST_SUITE_P(All, StreamsOf, testing::Values(test::kSegmentation, test::kNbia, test::kDeclared),
                         test::name_of);

TEST(Streams, BetweenRanksThatAreNotAlike) {
  const TemporaryFolder folder;
  std::string three_workers = kOdds.slide;
  three_workers.replace(three_workers.find("--cpus 1"), 8, "--cpus 3");
  const auto ran = shell(test::two_ranks("env STARPATH_CLASSES=fast=0 " + kOdds.run(kOdds.slide, folder / "out"),
                                         kOdds.run(three_workers, folder / "out")));
  ASSERT_EQ(ran.code, 0) << ran.output;
  test::expect_same_results(kOdds, folder / "out", test::alone(kOdds));
}

TEST(Streams, WithoutALauncherAreThoseOfOneRank) {
  const TemporaryFolder folder;
  const auto ran = shell(kOdds.run(kOdds.slide, folder / "out", "--json"));
  ASSERT_EQ(ran.code, 0) << ran.output;
  EXPECT_EQ(summary_of(ran)["traffic"]["buffers"], 0) << "there is nobody to send one to";
  test::expect_same_results(kOdds, folder / "out", test::alone(kOdds));
}

TEST(Streams, ControlIsLessThanOnePercentOfTheBytesOfLargeBuffers) {
  const TemporaryFolder folder;
  const auto ran = shell(launcher(2) + kOdds.run("synthetic:8192x8192,pattern=stroma,seed=5 --levels 512 --cpus 1",
                                                 folder / "out", "--streams odds --readers 1 --export none --json"));
  ASSERT_EQ(ran.code, 0) << ran.output;
  const nlohmann::json traffic = summary_of(ran)["traffic"];
  const double control = traffic["control_bytes"], buffers = traffic["buffer_bytes"];
  ASSERT_GT(traffic["buffers"], 0);
  EXPECT_EQ(buffers, traffic["buffers"].get<double>() * 512 * 512 * 3);
  EXPECT_LT(control, 0.01 * (control + buffers));
}

TEST(Streams, OfSomeRanksOnlyAreRefused) {
  const TemporaryFolder folder;
  const auto ran =
      shell(test::two_ranks(kOdds.run(kOdds.alone, folder / "out"), kOdds.run(kOdds.slide, folder / "out")));
  expect_says(ran, 5, {"rank 1 on ", "other options", "--streams odds"});
}

TEST(Streams, ThatGetNoMemoryEndWithALine) {
  const TemporaryFolder folder;
  const auto ran = shell("STARPU_LIMIT_CPU_MEM=2 " + launcher(2) + "timeout -k 5 100 " +
                         kOdds.run("synthetic:4096x3072,pattern=stroma --cpus 2 --streams odds", folder / "out"));
  expect_says(ran, 7, {"out of memory: ", "tasks wait for data", "STARPU_LIMIT_CPU_MEM=2"});
}

TEST(Streams, OfAStudyAreRefused) {
  const TemporaryFolder folder;
  const auto ran =
      shell(STARPATH_PROGRAM " segment synthetic:300x300 synthetic:301x300 --streams odds --out " + folder / "out");
  expect_says(ran, 2, {"--streams", "one slide"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Streams, FromMoreReadersThanRanksAreRefused) {
  const TemporaryFolder folder;
  const auto ran = shell(launcher(2) + kOdds.run(kOdds.slide, folder / "out", "--readers 3"));
  expect_says(ran, 2, {"--readers 3", "2 ranks"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out/results.sqlite"));
}

}  // namespace
}  // namespace starpath
#elif defined(STARPATH_MPIRUN)  // a StarPU without MPI
#include <gtest/gtest.h>

#include "tests/mpi/ranks.hpp"

namespace starpath {

TEST(Streams, NeedAStarPUThatCanSend) {
  const test::TemporaryFolder folder;
  const test::Pipeline kOdds = test::nbia_streams("odds");
  test::expect_says(test::shell(kOdds.run(kOdds.slide, folder / "out")), 2, {"--streams", "scripts/setup.sh"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out/results.sqlite"));
}

}  // namespace starpath
#endif
