// `starpath segment` on several ranks of this machine: the same bytes as one process, however the job goes.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "io/result_store.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::read_file;
using test::shell;
using test::TemporaryFolder;

#ifdef STARPATH_MPIRUN

const std::string slide = "synthetic:1400x1100,seed=6 --tile 256 --halo 64 --window 2 --cpus 1";

/// `mpirun -n ranks` before a command: oversubscribed, within this machine, and ended after two minutes whatever
/// happens.
std::string launcher(int ranks, const std::string& options = "") {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1"
         " PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_rmaps_base_oversubscribe=1"
         " OMPI_MCA_oob_tcp_if_include=lo timeout -k 5 120 " STARPATH_MPIRUN " --oversubscribe " +
         options + " -n " + std::to_string(ranks) + " ";
}

std::string segment(const std::string& out, const std::string& options = "") {
  return STARPATH_PROGRAM " segment " + slide + " " + options + " --out " + out;
}

/// What one process makes of the slide; computed once.
const std::string& alone() {
  static const TemporaryFolder folder;
  static const std::string out = [] {
    const auto run = shell(segment(folder / "alone", "--quiet"));
    EXPECT_EQ(run.code, 0) << run.output;
    return folder / "alone";
  }();
  return out;
}

void expect_same_results(const std::string& out) {
  for (const char* name : {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"})
    EXPECT_TRUE(read_file(alone() + "/" + name) == read_file(out + "/" + name)) << name << " differs";
  const auto ours = io::ResultStore::open(out + "/results.sqlite");
  const auto theirs = io::ResultStore::open(alone() + "/results.sqlite");
  const auto tiles = ours.tiles(), expected = theirs.tiles();
  ASSERT_EQ(tiles.size(), expected.size());
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    EXPECT_EQ(tiles[i].index, expected[i].index);
    EXPECT_EQ(tiles[i].state, expected[i].state);
  }
  for (const auto& entry : std::filesystem::directory_iterator(out))
    EXPECT_EQ(entry.path().filename().string().find(".rank-"), std::string::npos) << entry.path() << " was left";
}

TEST(Cluster, AnyNumberOfRanksGivesTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    const std::string out = folder / std::to_string(ranks);
    const auto run = shell(launcher(ranks) + segment(out));
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_NE(run.output.find("30 tiles"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("(" + std::to_string(ranks) + (ranks == 1 ? " worker)" : " workers)")), std::string::npos)
        << run.output;
    expect_same_results(out);
  }
}

TEST(Cluster, WithNothingLeftToDo) {
  const TemporaryFolder folder;
  for (int again = 0; again < 2; ++again) {
    const auto run = shell(launcher(2) + segment(folder / "out", "--quiet --resume"));
    ASSERT_EQ(run.code, 0) << run.output;
    expect_same_results(folder / "out");
  }
}

TEST(Cluster, FewerTilesThanRanks) {
  const TemporaryFolder folder;
  const auto run = shell(launcher(3) + STARPATH_PROGRAM " segment synthetic:300x300 --quiet --out " + folder / "out");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(io::ResultStore::open(folder / "out/results.sqlite").tiles().size(), 1u);
}

/// Waits until `ready`, for two minutes at most.
template <class Ready>
bool eventually(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
    if (ready()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

/// Whether tiles are committed in a part that its rank has open. The file grows while they are being committed; the
/// first bytes of the journal are no zeros from before that until they are.
bool has_tiles(const std::string& part) {
  std::error_code error;
  if (const auto size = std::filesystem::file_size(part, error); error || size <= 300000) return false;
  std::array<char, 8> start{};
  std::ifstream(part + "-journal", std::ios::binary).read(start.data(), start.size());
  return start == std::array<char, 8>{};
}

/// A job in the background, whose ranks leave their process ids in files.
class Job {
 public:
  Job(int ranks, const std::string& arguments) : ranks_(ranks) {
    const std::string rank = "sh -c 'echo $$ > " + folder_ / "pid$OMPI_COMM_WORLD_RANK" + "; exec " STARPATH_PROGRAM +
                             " segment " + arguments + " --out " + out() + "'";
    thread_ = std::thread([this, line = launcher(ranks) + rank] { outcome_ = shell(line); });
    started_ = eventually([&] { return has_tiles(part()) || std::filesystem::exists(out() + "/nuclei.csv"); });
  }
  ~Job() {
    if (!thread_.joinable()) return;
    for (int rank = 0; rank < ranks_; ++rank) signal(rank, SIGKILL);
    thread_.join();
  }
  /// Rank 1 has stored tiles, or the job has ended well.
  bool started() const { return started_; }
  std::string out() const { return folder_ / "out"; }
  std::string part() const { return folder_ / "out/results.rank-1.sqlite"; }
  void signal(int rank, int signal) const {
    pid_t pid = 0;
    std::ifstream(folder_ / ("pid" + std::to_string(rank))) >> pid;
    if (pid > 0) ::kill(pid, signal);
  }
  test::Outcome end() {
    thread_.join();
    return outcome_;
  }

 private:
  const int ranks_;
  TemporaryFolder folder_;
  std::thread thread_;
  test::Outcome outcome_{};
  bool started_ = false;
};

/// Far more than anybody waits for.
const std::string endless = "synthetic:30000x30000 --tile 256 --halo 64 --window 2 --cpus 1";

TEST(Cluster, AKilledRankEndsTheJobNamingRankAndHost) {
  Job job(2, endless);
  EXPECT_TRUE(job.started());
  job.signal(1, SIGKILL);
  const test::Outcome run = job.end();
  EXPECT_NE(run.code, 0);
  EXPECT_NE(run.code, 124) << "it hung: " << run.output;
  EXPECT_NE(run.output.find("rank 1 "), std::string::npos) << run.output;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  EXPECT_NE(run.output.find(host.data()), std::string::npos) << run.output;
  EXPECT_FALSE(io::ResultStore::open(job.part()).tiles().empty()) << "what it had finished is kept";
}

TEST(Cluster, ASilentRankIsLostAfterThePatience) {
  Job job(2, endless + " --patience 10");
  EXPECT_TRUE(job.started());
  job.signal(1, SIGSTOP);
  const test::Outcome run = job.end();
  EXPECT_NE(run.code, 0);
  EXPECT_NE(run.code, 124) << "it hung: " << run.output;
  EXPECT_NE(run.output.find("rank 1 on "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("has not been heard of"), std::string::npos) << run.output;
}

TEST(Cluster, ToldToStopByOneRankAllFinishWhatTheyHaveBegun) {
  Job job(2, endless);
  EXPECT_TRUE(job.started());
  job.signal(1, SIGTERM);
  const test::Outcome run = job.end();
  EXPECT_EQ(run.code, 130) << run.output;
  EXPECT_FALSE(std::filesystem::exists(job.part())) << "merged";
  EXPECT_FALSE(io::ResultStore::open(job.out() + "/results.sqlite").tiles().empty());
}

TEST(Cluster, KilledItResumesWithAnotherNumberOfRanks) {
  Job job(3, slide + " --quiet");
  EXPECT_TRUE(job.started());
  for (const int rank : {2, 1, 0}) job.signal(rank, SIGKILL);
  job.end();
  EXPECT_EQ(shell(segment(job.out())).code, 4) << "there are results";
  const auto run = shell(launcher(2) + segment(job.out(), "--quiet --resume"));
  ASSERT_EQ(run.code, 0) << run.output;
  expect_same_results(job.out());
}

TEST(Cluster, RanksThatDisagreeAreRefused) {
  const TemporaryFolder folder;
  const auto run =
      shell(launcher(1) + segment(folder / "out") + " : -n 1 " + segment(folder / "out", "--roi 0,0,500,500"));
  EXPECT_EQ(run.code, 5) << run.output;
  EXPECT_NE(run.output.find("rank 1 on "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("other options"), std::string::npos) << run.output;
}

TEST(Cluster, OneErrorForAllRanks) {
  const TemporaryFolder folder;
  const auto run =
      shell(launcher(2) + STARPATH_PROGRAM " segment " + folder / "missing.svs" + " --out " + folder / "out");
  EXPECT_EQ(run.code, 3) << run.output;
  const auto first = run.output.find("starpath: ");
  ASSERT_NE(first, std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("starpath: ", first + 1), std::string::npos) << run.output;
}

/// Rank 0 as it is, and rank 1 on a disk that is full once a file has so many blocks of 512 bytes. Without shared
/// memory, which is files too.
test::Outcome with_little_room_on_rank_1(int blocks, const std::string& out, const std::string& arguments) {
  const std::string command = STARPATH_PROGRAM " segment " + arguments + " --out " + out;
  return shell(launcher(1, "--mca btl self,tcp --mca btl_tcp_if_include lo") + command +
               " : -n 1 sh -c 'trap \"\" XFSZ; ulimit -f " + std::to_string(blocks) + "; exec " + command + "'");
}

TEST(Cluster, ARankWithAFullDiskIsNamedAndTheRestIsKept) {
  const TemporaryFolder folder;
  const auto run = with_little_room_on_rank_1(8, folder / "out", slide);  // cannot even begin its file
  EXPECT_EQ(run.code, 4) << run.output;
  EXPECT_NE(run.output.find("rank 1 on "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("continue with --resume"), std::string::npos) << run.output;
  const auto again = shell(launcher(2) + segment(folder / "out", "--quiet --resume"));
  ASSERT_EQ(again.code, 0) << again.output;
  expect_same_results(folder / "out");
}

TEST(Cluster, ADiskThatFillsUpAmidTilesEndsTheJob) {
  const TemporaryFolder folder;
  const auto run = with_little_room_on_rank_1(2048, folder / "out", endless);
  EXPECT_EQ(run.code, 4) << run.output;
  EXPECT_NE(run.output.find("rank 1 on "), std::string::npos) << run.output;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/results.rank-1.sqlite")) << "it had begun";
}

TEST(Cluster, ARecordIsOfOneProcess) {
  const TemporaryFolder folder;
  const auto run = shell(launcher(2) + segment(folder / "out", "--record " + folder / "record.json"));
  EXPECT_EQ(run.code, 2) << run.output;
  EXPECT_NE(run.output.find("without mpirun"), std::string::npos) << run.output;
}

std::string nbia(const std::string& out, const std::string& options = "") {
  return STARPATH_PROGRAM " nbia run synthetic:3072x2048,pattern=stroma,seed=5 --window 2 --cpus 1 --json " + options +
         " --out " + out;
}

void expect_same_fields(const std::string& ours, const std::string& theirs) {
  for (const char* name : {"map.png", "overlay.png", "regions.geojson", "fields.csv"})
    EXPECT_TRUE(read_file(ours + "/" + name) == read_file(theirs + "/" + name)) << name << " differs";
  for (const auto& entry : std::filesystem::directory_iterator(ours))
    EXPECT_EQ(entry.path().filename().string().find(".rank-"), std::string::npos) << entry.path() << " was left";
}

TEST(Cluster, NbiaOnAnyNumberOfRanksGivesTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell(nbia(folder / "alone")).code, 0);
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    const std::string out = folder / std::to_string(ranks);
    const auto run = shell(launcher(ranks) + nbia(out));
    ASSERT_EQ(run.code, 0) << run.output;
    expect_same_fields(out, folder / "alone");
  }
}

TEST(Cluster, NbiaTakesOverWhatARankOfAKilledJobLeft) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell(nbia(folder / "alone")).code, 0);
  std::filesystem::create_directory(folder / "left");
  std::filesystem::copy_file(folder / "alone/results.sqlite", folder / "left/results.rank-3.sqlite");
  EXPECT_EQ(shell(nbia(folder / "left")).code, 4) << "there are results";
  const auto run = shell(launcher(2) + nbia(folder / "left", "--resume"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("\"tiles_resumed\":24"), std::string::npos) << run.output;
  expect_same_fields(folder / "left", folder / "alone");
}

#else

TEST(Cluster, ABuildWithoutMpiRefusesMpirun) {
  const TemporaryFolder folder;
  const auto run = shell("OMPI_COMM_WORLD_SIZE=2 starpath segment synthetic:300x300 --out " + folder / "out");
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.output.find("without MPI"), std::string::npos) << run.output;
}

#endif

}  // namespace
}  // namespace starpath
