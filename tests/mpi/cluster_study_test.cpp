// Clusters of a study on several ranks of this machine: the bytes of one process, and nothing where a rank fails.
#if defined(STARPATH_MPIRUN) && defined(STARPATH_MPI_STREAMS)
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "tests/mpi/ranks.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_says;
using test::launcher;
using test::quoted;
using test::read_file;
using test::shell;
using test::TemporaryFolder;
using test::two_ranks;

const std::vector<std::string> kFolders = {"synthetic_1500x1400_seed_1", "synthetic_300x700_seed_2",
                                           "synthetic_512x512_seed_3"};

/// A study without clusters, and one that one process has clustered; made once.
const test::SharedFolder& made() {
  static const test::SharedFolder made("study_of_ranks", [](const test::SharedFolder& folder) {
    const auto run = shell(STARPATH_PROGRAM
                           " segment synthetic:1500x1400,seed=1 synthetic:300x700,seed=2 synthetic:512x512,seed=3"
                           " --mpp 0.5 --quiet --export none --out " +
                           folder / "study");
    EXPECT_EQ(run.code, 0) << run.output;
  });
  return made;
}

class RanksOfClusters : public testing::Test {
 protected:
  std::string study(const std::string& name) const {
    fs::copy(made() / "study", folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  static std::string cluster(const std::string& study, const std::string& options = "--k 5 --quiet") {
    return STARPATH_PROGRAM " cluster " + study + " --cpus 1 " + options;
  }
  const TemporaryFolder folder_;
};

/// All that clustering writes into databases. Some of the tables are there once it has.
std::string clusters_in(const std::string& study) {
  std::string text;
  const auto add = [&](const std::string& file, std::initializer_list<const char*> tables) {
    const Database database(file, Database::Open::existing);
    for (const std::string table : tables) {
      if (database.integer("SELECT count(*) FROM sqlite_master WHERE name = '" + table + "'") == 0) continue;
      Statement rows = database.prepare("SELECT * FROM " + table + " ORDER BY 1, 2");
      while (rows.step())
        for (int column = 0; column < rows.columns(); ++column) text += rows.text(column) + "|";
    }
  };
  add(study + "/study.sqlite", {"clusters", "cluster_centres", "slide_clusters", "study"});
  for (const std::string& slide : kFolders)
    add(study + "/" + slide + "/results.sqlite", {"clusters", "nucleus_clusters"});
  return text;
}

std::vector<std::string> files_of(const std::string& study) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(study))
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), study).string());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_the_same(const std::string& ours, const std::string& theirs) {
  EXPECT_TRUE(clusters_in(ours) == clusters_in(theirs));
  const auto files = files_of(ours);
  EXPECT_EQ(files, files_of(theirs));
  for (const std::string& file : files) {
    if (file.ends_with(".sqlite")) continue;
    EXPECT_TRUE(read_file(ours + "/" + file) == read_file(theirs + "/" + file)) << file;
  }
}

/// Neither clusters nor a file that was not there before.
void expect_untouched(const std::string& study) {
  EXPECT_EQ(clusters_in(study), clusters_in(made() / "study"));
  EXPECT_EQ(files_of(study), files_of(made() / "study"));
}

TEST_F(RanksOfClusters, GiveTheBytesOfOneProcess) {
  for (const std::string options : {"--k 5", "--k auto --features all --export csv", "--k 6 --batch 400 --rounds 20"}) {
    SCOPED_TRACE(options);
    const std::string alone = study("alone" + options);
    const std::string rows = " 2>/dev/null";  // mpirun may put what is said beside them between them
    const auto one = shell(cluster("'" + alone + "'", options) + rows);
    ASSERT_EQ(one.code, 0) << one.output;
    for (const int ranks : {1, 2, 4}) {  // of four, one has no slide
      SCOPED_TRACE(ranks);
      const std::string out = study(std::to_string(ranks) + options);
      const auto ran = shell(launcher(ranks) + cluster("'" + out + "'", options) + rows);
      ASSERT_EQ(ran.code, 0) << ran.output;
      EXPECT_NE(ran.output.find(one.output.substr(one.output.find("cluster 1 "))), std::string::npos) << ran.output;
      expect_the_same(out, alone);
    }
    fs::remove_all(alone);
  }
}

/// A command as rank 1, which gets the signal as soon as its rank 0 or it has begun to write points.
std::string signalled(const std::string& study, const std::string& command, const std::string& signal) {
  return "bash -c " +
         quoted("[ \"$OMPI_COMM_WORLD_RANK\" = 1 ] && (until ls " + study +
                "/points.*.part >/dev/null 2>&1; do sleep 0.01; done; kill -" + signal + " $$) & exec " + command);
}

TEST_F(RanksOfClusters, ToldToStopByOneAllEndWithoutClusters) {
  const std::string out = study("a");
  expect_says(shell(launcher(2) + signalled(out, cluster(out, "--k auto --features all"), "TERM")), 130,
              {"stopped; no clusters are written"});
  expect_untouched(out);
}

TEST_F(RanksOfClusters, ARankThatDiesEndsAll) {
  const std::string out = study("a"), alone = study("alone");
  const auto ran = shell(launcher(2) + signalled(out, cluster(out, "--k auto --features all"), "KILL"));
  EXPECT_NE(ran.code, 0) << ran.output;
  EXPECT_NE(ran.code, 124) << "it hung: " << ran.output;
  EXPECT_EQ(clusters_in(out), clusters_in(alone));
  ASSERT_EQ(shell(cluster(alone)).code, 0);
  const auto again = shell(launcher(2) + cluster(out));
  ASSERT_EQ(again.code, 0) << again.output;
  expect_the_same(out, alone);
}

TEST_F(RanksOfClusters, ARankThatHangsIsLostAfterThePatience) {
  const std::string out = study("a");
  const auto ran = shell(launcher(2) + signalled(out, cluster(out, "--k auto --features all --patience 5"), "STOP"));
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.code, 124) << "it hung: " << ran.output;
  EXPECT_NE(ran.output.find("rank 1 on "), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("has not been heard of"), std::string::npos) << ran.output;
}

TEST_F(RanksOfClusters, ARankWithAFullDiskIsNamedAndNothingIsWritten) {
  const std::string out = study("a");
  const auto ran = shell(two_ranks(cluster(out), "sh -c 'trap \"\" XFSZ; ulimit -f 8; exec " + cluster(out) + "'",
                                   "--mca btl self,tcp --mca btl_tcp_if_include lo"));
  expect_says(ran, 4, {"rank 1 on ", "points"});
  expect_untouched(out);
}

TEST_F(RanksOfClusters, ARankThatCannotReadItsSlidesIsNamedAndNothingIsWritten) {
  const std::string out = study("a"), other = folder_ / "other";
  fs::create_directories(other);
  expect_says(shell(two_ranks(cluster(out), cluster(other))), 3, {"rank 1 on ", other, "no such file"});
  expect_untouched(out);
}

TEST_F(RanksOfClusters, RefuseWhatOneProcessRefusesAndSayItOnce) {
  const std::string out = study("a");
  expect_says(shell(two_ranks(cluster(out), cluster(out, "--k 4"))), 5, {"rank 1 on ", "other options"});
  for (const auto& [options, code, words] : std::vector<std::tuple<std::string, int, std::string>>{
           {"--k 64 --features no_such", 2, "no_such"}, {"--quiet", 3, "holds no study.sqlite"}}) {
    const auto ran = shell(launcher(3) + cluster(code == 3 ? folder_ / "none" : out, options));
    expect_says(ran, code, {words});
    const std::size_t first = ran.output.find(words);
    EXPECT_EQ(ran.output.find("starpath: ", ran.output.find("starpath: ") + 1), std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find(words, first + 1), std::string::npos) << ran.output;
  }
  expect_untouched(out);
}

}  // namespace
}  // namespace starpath
#endif
