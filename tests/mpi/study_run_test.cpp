// A study on several ranks of this machine: the bytes of one process, whatever happens.
#ifdef STARPATH_MPIRUN
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "io/study/study_store.hpp"
#include "tests/mpi/ranks.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_says;
using test::launcher;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

constexpr const char* kOptions = " --mpp 0.5 --tile 256 --halo 64 --window 2 --cpus 1 ";
const std::string kSlides =
    "synthetic:600x500,seed=1 synthetic:300x700,seed=2 synthetic:512x512,seed=3 "
    "synthetic:900x700,seed=4 synthetic:260x260,seed=5";
constexpr std::size_t kSlideCount = 5;

std::string study_of(const std::string& slides, const std::string& out, const std::string& options = "") {
  return STARPATH_PROGRAM " segment " + slides + kOptions + options + " --out " + out;
}

std::vector<io::StudyRow> rows_of(const std::string& study) {
  return io::StudyStore::open(study + "/study.sqlite").rows();
}

/// What study.sqlite and the results of the slides hold, but for times.
std::string contents(const std::string& study) {
  std::string text;
  const auto add = [&](const std::string& file, std::initializer_list<const char*> queries) {
    const Database database(file, Database::Open::existing);
    for (const char* sql : queries) {
      Statement rows = database.prepare(sql);
      while (rows.step())
        for (int column = 0; column < rows.columns(); ++column) text += rows.text(column) + "|";
    }
  };
  add(study + "/study.sqlite",
      {"SELECT slide, path, folder, state, error, nuclei, left_out_eosin, analysed_mm2, nuclei_per_mm2, "
       "median_area_um2, "
       "tiles, tiles_background, tiles_failed, width, height, mpp, mpp_source, parameters, survey FROM slides",
       "SELECT * FROM features", "SELECT * FROM warnings", "SELECT * FROM regions", "SELECT * FROM region_features"});
  for (const io::StudyRow& row : rows_of(study))
    if (row.summary.state == io::SlideState::done)
      add(study + "/" + row.slide.folder + "/results.sqlite",
          {"SELECT key, value FROM run ORDER BY key",
           "SELECT tile, x, y, width, height, state, objects, error FROM tiles ORDER BY tile",
           "SELECT * FROM objects ORDER BY object", "SELECT * FROM features ORDER BY object",
           "SELECT * FROM accepted ORDER BY id"});
  return text;
}

/// What one process makes of the slides; computed once.
std::string alone() {
  static const test::SharedFolder made("study_of_one_process", [](const test::SharedFolder& folder) {
    const auto run = shell(study_of(kSlides, folder / "study", "--quiet"));
    EXPECT_EQ(run.code, 0) << run.output;
  });
  return made / "study";
}

void expect_the_bytes_of_one_process(const std::string& study) {
  EXPECT_TRUE(contents(alone()) == contents(study)) << study;
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(study)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), study).string();
    EXPECT_TRUE(fs::exists(alone() + "/" + name)) << name << " was left";
    if (entry.path().extension() == ".sqlite") continue;
    EXPECT_TRUE(read_file(alone() + "/" + name) == read_file(entry.path().string())) << name << " differs";
    ++files;
  }
  EXPECT_EQ(files, 4 * kSlideCount) << "four exports a slide";
}

TEST(RanksOfAStudy, GiveTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    const std::string study = folder / std::to_string(ranks);
    const auto ran = shell(launcher(ranks) + study_of(kSlides, study, "--json"));
    ASSERT_EQ(ran.code, 0) << ran.output;
    expect_the_bytes_of_one_process(study);
    const auto runs = io::StudyStore::open(study + "/study.sqlite").runs();
    ASSERT_EQ(runs.size(), 1u);
    const auto run = nlohmann::json::parse(runs[0]);
    EXPECT_EQ(run["devices"], nlohmann::json::parse(R"([{"name": "cpu", "workers": )" + std::to_string(ranks) + "}]"));
    EXPECT_EQ(run["slides"], kSlideCount);
    std::int64_t tiles = 0, reads = 0;
    for (const io::StudyRow& row : rows_of(study)) tiles += row.summary.tiles.value();
    for (const auto& [stage, share] : run["shares"]["cpu"].items())
      if (stage == "read") reads = share["tasks"].get<std::int64_t>();
    EXPECT_EQ(run["tiles"], tiles);
    EXPECT_EQ(reads, tiles) << "each tile is read by one rank, and counted once: " << run["shares"];
    std::size_t told = 0;
    for (std::size_t at = 0; (at = ran.output.find(R"("event":"slide")", at)) != std::string::npos; ++at) ++told;
    EXPECT_EQ(told, kSlideCount) << ran.output;
  }
}

TEST(RanksOfAStudy, AFailedSlideDoesNotStopTheOthersAndIsTriedAgain) {
  const TemporaryFolder folder;
  const std::string study = folder / "study", late = folder / "late.png";
  const std::string slides = "synthetic:600x500,seed=1 " + late + " synthetic:512x512,seed=3";
  expect_says(shell(launcher(2) + study_of(slides, study)), 6,
              {"failed: late: " + late + ": no such file", "1 of 3 slides failed"});
  const auto rows = rows_of(study);
  EXPECT_EQ(rows[0].summary.state, io::SlideState::done);
  EXPECT_EQ(rows[1].summary.state, io::SlideState::failed);
  EXPECT_EQ(rows[2].summary.state, io::SlideState::done);
  fs::copy(alone() + "/synthetic_300x700_seed_2/overlay.png", late);
  const auto again = shell(launcher(2) + study_of(slides, study, "--resume"));
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(again.output.find("synthetic_600x500_seed_1: "), std::string::npos) << again.output;  // not begun again
}

TEST(RanksOfAStudy, KilledAtAnyMomentTheyResumeToTheSameBytes) {
  const TemporaryFolder folder;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(shell(launcher(2) + study_of(kSlides, folder / "whole", "--quiet")).code, 0);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const std::string study = folder / "killed";
  int killed = 0;
  for (int round = 0; round < 8; ++round) {
    const int ranks = 1 + static_cast<int>(random() % 3),
              victim = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const double moment = std::uniform_real_distribution(0.1, 0.8)(random) * seconds;
    const std::string one =
        "bash -c " + test::quoted("[ \"$OMPI_COMM_WORLD_RANK\" = " + std::to_string(victim) + " ] && (sleep " +
                                  std::to_string(moment) + "; kill -KILL $$) & exec " +
                                  study_of(kSlides, study, "--quiet --resume"));
    if (shell(launcher(ranks) + one).code != 0) {
      ++killed;
    } else {  // it was sooner: nothing would be left to kill
      fs::remove_all(study);
      seconds /= 2;
    }
  }
  EXPECT_GT(killed, 0);
  const auto last = shell(launcher(2) + study_of(kSlides, study, "--quiet --resume"));
  ASSERT_EQ(last.code, 0) << last.output;
  expect_the_bytes_of_one_process(study);
}

TEST(RanksOfAStudy, ToldToStopByOneRankAllFinishWhatTheyHaveBegun) {
  const TemporaryFolder folder;
  const std::string study = folder / "study";
  // A second of work. The first slide has just begun when the signal comes; few tiles, as a disk may take long
  // to keep each.
  std::string command = STARPATH_PROGRAM " segment --mpp 0.5 --tile 600 --cpus 1 --export none --out " + study;
  for (int seed = 1; seed <= 8; ++seed) command += " synthetic:1200x1200,seed=" + std::to_string(seed);
  const std::string one = "bash -c " + test::quoted("[ \"$OMPI_COMM_WORLD_RANK\" = 1 ] && (until [ -e " + study +
                                                    "/synthetic_1200x1200_seed_1/results.sqlite ]; do sleep 0.02; done;"
                                                    " kill -TERM $$) & exec " +
                                                    command);
  expect_says(shell(launcher(2) + one), 130, {"interrupted", "continue with --resume"});
  const auto again = shell(launcher(2) + command + " --resume --json");
  ASSERT_EQ(again.code, 0) << again.output;
  for (const io::StudyRow& row : rows_of(study)) EXPECT_EQ(row.summary.state, io::SlideState::done);
}

TEST(RanksOfAStudy, TellAnErrorOnce) {
  const TemporaryFolder folder;
  const auto run = shell(launcher(3) + study_of("synthetic:9x9 synthetic:9x9", folder / "study"));
  EXPECT_EQ(run.code, 2) << run.output;
  const std::size_t first = run.output.find("is given twice");
  ASSERT_NE(first, std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("is given twice", first + 1), std::string::npos) << run.output;
  EXPECT_FALSE(fs::exists(folder / "study"));
}

TEST(RanksOfAStudy, AStudyInTheWayIsToldAsInOneProcess) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "study");
  fs::copy(alone() + "/study.sqlite", folder / "study/study.sqlite");
  expect_says(shell(launcher(2) + study_of(kSlides, folder / "study")), 4, {"choose another --out\n"});
}

TEST(RanksOfAStudy, ARankThatCannotStartReplacesNothing) {
  const TemporaryFolder folder;
  const std::string study = folder / "study";
  fs::copy(alone(), study, fs::copy_options::recursive);
  const std::string before = read_file(study + "/study.sqlite");
  const std::string again = study_of(kSlides, study, "--quiet --overwrite");
  for (const std::string& rank_1 : {"env STARPU_NCPU=many " + again, again + " --gpus 64"}) {
    expect_says(shell(test::two_ranks(again, rank_1)), 7, {"rank 1 on "});
    EXPECT_TRUE(read_file(study + "/study.sqlite") == before) << rank_1;
    expect_the_bytes_of_one_process(study);
  }
  const auto replaced = shell(launcher(2) + again);
  ASSERT_EQ(replaced.code, 0) << replaced.output;
  expect_the_bytes_of_one_process(study);
}

TEST(RanksOfAStudy, WithNothingLeftToDo) {
  const TemporaryFolder folder;
  fs::copy(alone(), folder / "study", fs::copy_options::recursive);
  const auto ran = shell(launcher(2) + study_of(kSlides, folder / "study", "--json --resume"));
  ASSERT_EQ(ran.code, 0) << ran.output;
  expect_the_bytes_of_one_process(folder / "study");
}

}  // namespace
}  // namespace starpath
#endif
