// What goes wrong on several ranks of this machine. Nothing that was finished is lost, nobody waits for ever, and the
// line that says why names rank and host.
#ifdef STARPATH_MPIRUN
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/mpi/ranks.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath {
namespace {

using test::expect_says;
using test::Job;
using test::launcher;
using test::shell;
using test::TemporaryFolder;
using test::two_ranks;

std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Sends rank 1 the signal and expects all ranks to end, saying why.
void expect_all_end(Job& job, int signal, const std::vector<std::string>& texts) {
  EXPECT_TRUE(job.started());
  job.signal(1, signal);
  const test::Outcome ended = job.end();
  EXPECT_NE(ended.code, 0);
  EXPECT_NE(ended.code, 124) << "it hung: " << ended.output;
  for (const std::string& text : texts) EXPECT_NE(ended.output.find(text), std::string::npos) << ended.output;
}

class ClusterFaults : public testing::TestWithParam<test::Pipeline> {
 protected:
  std::string run(const std::string& out, const std::string& options = "") const {
    return GetParam().run(GetParam().slide, out, options);
  }
  /// Goes on with what is in `out`, on so many ranks, and expects what one process makes of the slide.
  void expect_resumes(const std::string& out, int ranks) const {
    EXPECT_EQ(shell(run(out)).code, 4) << "there are results";
    const auto resumed = shell(launcher(ranks) + run(out, "--quiet --resume"));
    ASSERT_EQ(resumed.code, 0) << resumed.output;
    test::expect_same_results(GetParam(), out, test::alone(GetParam()));
  }
};

TEST_P(ClusterFaults, AKilledRankEndsTheJobNamingRankAndHost) {
  Job job(GetParam(), 2, GetParam().endless);
  expect_all_end(job, SIGKILL, {"rank 1 ", host()});
  EXPECT_GT(test::tiles_in(GetParam(), job.part()), 0) << "what it had finished is kept";
}

TEST_P(ClusterFaults, KilledItResumesWithAnotherNumberOfRanks) {
  Job job(GetParam(), 3, GetParam().slide + " --quiet");
  EXPECT_TRUE(job.started());
  for (const int rank : {2, 1, 0}) job.signal(rank, SIGKILL);
  job.end();
  expect_resumes(job.out(), 2);
}

TEST_P(ClusterFaults, ToldToStopByOneRankAllFinishWhatTheyHaveBegun) {
  Job job(GetParam(), 2, GetParam().endless);
  EXPECT_TRUE(job.started());
  job.signal(1, SIGTERM);
  const test::Outcome ended = job.end();
  EXPECT_EQ(ended.code, 130) << ended.output;
  EXPECT_FALSE(std::filesystem::exists(job.part())) << "merged";
  EXPECT_GT(test::tiles_in(GetParam(), job.out() + "/results.sqlite"), 0);
}

TEST_P(ClusterFaults, ATileThatCannotBeReadIsReportedAndTheOthersAreFinished) {
  const TemporaryFolder folder;
  support::write_tiled_tiff(folder / "slide.tif");
  support::damage_tile(folder / "slide.tif", 5);
  const auto command = [&](const char* out) {
    return GetParam().run(folder / "slide.tif", folder / out, GetParam().tiff_options);
  };
  const auto one = shell(command("alone")), two = shell(launcher(2) + command("out"));
  for (const auto& ran : {one, two}) expect_says(ran, 6, {"x=256 y=256", "attempts"});
  test::expect_same_results(GetParam(), folder / "out", folder / "alone");
  EXPECT_NE(test::states_in(GetParam(), folder / "out").find(" failed"), std::string::npos);
}

/// Rank 0 as it is, and rank 1 on a disk that is full once a file has so many blocks of 512 bytes. Without shared
/// memory, which is files too.
test::Outcome with_little_room_on_rank_1(int blocks, const std::string& command) {
  return shell(two_ranks(command,
                         "sh -c 'trap \"\" XFSZ; ulimit -f " + std::to_string(blocks) + "; exec " + command + "'",
                         "--mca btl self,tcp --mca btl_tcp_if_include lo"));
}

TEST_P(ClusterFaults, ARankWithAFullDiskIsNamedAndTheRestIsKept) {
  const TemporaryFolder folder;
  const auto ran = with_little_room_on_rank_1(8, run(folder / "out"));  // cannot even begin its file
  expect_says(ran, 4, {"rank 1 on " + host(), "continue with --resume"});
  expect_resumes(folder / "out", 2);
}

TEST_P(ClusterFaults, ADiskThatFillsUpAmidTilesEndsTheJob) {
  const TemporaryFolder folder;
  const auto ran = with_little_room_on_rank_1(2048, GetParam().run(GetParam().endless, folder / "out"));
  expect_says(ran, 4, {"rank 1 on " + host(), "continue with --resume"});
  EXPECT_GT(test::tiles_in(GetParam(), folder / "out/results.rank-1.sqlite"), 0) << "what it had finished is kept";
}

TEST_P(ClusterFaults, ARankThatCannotStartReplacesNothing) {
  const TemporaryFolder folder;
  std::filesystem::copy(test::alone(GetParam()), folder / "out");
  const std::string before = test::read_file(folder / "out/results.sqlite"), again = run(folder / "out", "--overwrite");
  const auto expect_kept = [&](const std::string& rank_1, int code, const std::string& why) {
    expect_says(shell(two_ranks(again, rank_1)), code, {"rank 1 on " + host(), why});
    EXPECT_TRUE(test::read_file(folder / "out/results.sqlite") == before) << why;
    for (const std::string& file : GetParam().files)
      EXPECT_TRUE(std::filesystem::exists(folder / "out/" + file)) << file << ": " << why;
  };
  expect_kept("env STARPU_NCPUS=many " + again, 7, "STARPU_NCPUS=many");
  expect_kept(again + " --gpus 64", 7, "--gpus 64");
  expect_kept(again + " --roi 0,0,600,600", 5, "");
  const auto replaced = shell(launcher(2) + again);
  ASSERT_EQ(replaced.code, 0) << replaced.output;
  test::expect_same_results(GetParam(), folder / "out", test::alone(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Of, ClusterFaults, testing::ValuesIn(test::pipelines()), test::name_of);

std::string segment(const std::string& out, const std::string& options = "") {
  return test::kSegmentation.run(test::kSegmentation.slide, out, options);
}

TEST(ClusterRefuses, ASilentRankIsLostAfterThePatience) {
  Job job(test::kSegmentation, 2, test::kSegmentation.endless + " --patience 10");
  expect_all_end(job, SIGSTOP, {"rank 1 on ", "has not been heard of"});
}

TEST(ClusterRefuses, RanksThatDisagree) {
  const TemporaryFolder folder;
  expect_says(shell(two_ranks(segment(folder / "out"), segment(folder / "out", "--roi 0,0,500,500"))), 5,
              {"rank 1 on " + host(), "other options"});
}

TEST(ClusterRefuses, RanksThatAreToWriteOtherExports) {
  const TemporaryFolder folder;
  expect_says(shell(two_ranks(segment(folder / "out", "--export csv"), segment(folder / "out", "--export geojson"))), 5,
              {"export", "geojson", "start every rank with the same"});
}

TEST(ClusterRefuses, AProgramThatDoesNotStartMpi) {
  const TemporaryFolder folder;
  expect_says(shell(two_ranks(segment(folder / "out", "--patience 0.5"), "true")), 7,
              {"MPI has waited for 0.5 s", "ends after 5 s", "each of them must be starpath"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(ClusterRefuses, RanksOfAnotherVersion) {
  const TemporaryFolder folder;
  expect_says(shell(two_ranks(segment(folder / "out"), STARPATH_STRANGER " version")), 5,
              {"rank 1 on " + host(), "it runs starpath 0.0.1, rank 0 runs"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out/results.rank-1.sqlite"));
}

TEST(ClusterRefuses, RanksThatSpeakAnotherLanguage) {
  const TemporaryFolder folder;
  expect_says(shell(two_ranks(segment(folder / "out"), STARPATH_STRANGER " language")), 5,
              {"rank 1 on " + host(), "good day", "install the same on every node"});
}

TEST(ClusterLeaves, WhoeverSendsMuchToARankThatLeaves) {
  const auto run = shell(launcher(3) + STARPATH_STRANGER " leaves");
  EXPECT_EQ(run.code, 0) << run.output;
}

// Nothing is left to do but to end MPI, which waits for all ranks as long as it takes.
TEST(ClusterLeaves, WithoutARankThatHangsAtTheEnd) {
  for (const int rank : {0, 1}) {
    const auto run = shell(launcher(2) + STARPATH_STRANGER " stops " + std::to_string(rank));
    expect_says(run, 7, {"rank " + std::to_string(rank) + " on " + host() + " has not been heard of for 5 s"});
  }
  expect_says(shell(launcher(2) + STARPATH_STRANGER " stops-last"), 7, {"rank 0 on " + host() + " waits"});
}

TEST(ClusterRefuses, OneErrorForAllRanks) {
  const TemporaryFolder folder;
  const auto run = shell(launcher(2) + test::kSegmentation.run(folder / "missing.svs", folder / "out"));
  EXPECT_EQ(run.code, 3) << run.output;
  const auto first = run.output.find("starpath: ");
  ASSERT_NE(first, std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("starpath: ", first + 1), std::string::npos) << run.output;
}

}  // namespace
}  // namespace starpath
#endif
