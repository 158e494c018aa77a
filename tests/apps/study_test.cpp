// `starpath segment` over several slides: each slide's folder is that of a run over it alone, whatever happens.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/sqlite.hpp"
#include "io/study/study_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/kills.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::SharedFolder;
using test::shell;
using test::TemporaryFolder;

const std::vector<std::string> kStudyExports = {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"};
constexpr const char* kOptions = " --mpp 0.5 --tile 256 --halo 64 ";

/// A slide, and the folder that a study gives it.
struct Named {
  std::string slide, folder;
};
const std::vector<Named> kNamed = {{"synthetic:600x500,seed=1", "synthetic_600x500_seed_1"},
                                   {"synthetic:300x700,seed=2", "synthetic_300x700_seed_2"},
                                   {"synthetic:512x512,seed=3", "synthetic_512x512_seed_3"}};
const std::string kAll = kNamed[0].slide + " " + kNamed[1].slide + " " + kNamed[2].slide;

/// Everything in results but times.
std::string contents(const std::string& folder) {
  const Database database(folder + "/results.sqlite", Database::Open::existing);
  std::string text;
  for (const char* sql : {"SELECT key, value FROM run ORDER BY key",
                          "SELECT tile, x, y, width, height, state, objects, error FROM tiles ORDER BY tile",
                          "SELECT * FROM objects ORDER BY object", "SELECT * FROM features ORDER BY object",
                          "SELECT * FROM accepted ORDER BY id"}) {
    Statement rows = database.prepare(sql);
    while (rows.step())
      for (int column = 0; column < rows.columns(); ++column) text += rows.text(column) + "|";
  }
  return text;
}

void expect_same(const std::string& alone, const std::string& in_study) {
  for (const std::string& name : kStudyExports)
    EXPECT_TRUE(read_file(alone + "/" + name) == read_file(in_study + "/" + name)) << name << " of " << in_study;
  EXPECT_TRUE(contents(alone) == contents(in_study)) << in_study;
}

/// Each slide in a run of its own.
const SharedFolder& alone() {
  static const SharedFolder runs("slides_of_study", [](const SharedFolder& folder) {
    for (const Named& each : kNamed)
      EXPECT_EQ(shell("starpath segment " + each.slide + kOptions + "--quiet --out " + folder / each.folder).code, 0);
  });
  return runs;
}

void expect_same_as_alone(const std::string& study) {
  for (const Named& each : kNamed) expect_same(alone() / each.folder, study + "/" + each.folder);
}

std::vector<io::StudyRow> rows_of(const std::string& study) {
  return io::StudyStore::open(study + "/study.sqlite").rows();
}

TEST(Study, GivesEachSlideWhatARunOverItAloneGives) {
  const TemporaryFolder folder;
  for (const std::string policy : {"pats", "eager"})
    for (const std::string cpus : {"1", "2"}) {
      const std::string study = folder / (policy + cpus);
      const auto run =
          shell("starpath segment " + kAll + kOptions + "--policy " + policy + " --cpus " + cpus + " --out " + study);
      ASSERT_EQ(run.code, 0) << run.output;
      expect_same_as_alone(study);
    }
}

TEST(Study, KeepsARowASlide) {
  const TemporaryFolder folder;
  std::ofstream(folder / "list.csv") << "path,patient,group,stage\n"
                                     << "\"" << kNamed[0].slide << "\",P1,A,II\n"
                                     << "\"" << kNamed[1].slide << "\",P2,B,\n";
  const auto run =
      shell("starpath segment --slides " + folder / "list.csv" + kOptions + "--json --out " + folder / "study");
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string body = run.output.substr(0, run.output.size() - 1);
  const auto summary = nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
  EXPECT_EQ(summary["slides"], 2);
  EXPECT_NE(run.output.find(R"("event":"slide")"), std::string::npos);
  const auto rows = rows_of(folder / "study");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].slide.patient, "P1");
  EXPECT_EQ(rows[0].slide.group, "A");
  EXPECT_EQ(rows[0].slide.labels, (std::vector<std::pair<std::string, std::string>>{{"stage", "II"}}));
  for (const io::StudyRow& row : rows) {
    EXPECT_EQ(row.summary.state, io::SlideState::done);
    EXPECT_GT(row.summary.nuclei.value_or(0), 20);
    EXPECT_GT(row.summary.nuclei_per_mm2.value_or(0), 100);
    EXPECT_GT(row.summary.median_area_um2.value_or(0), 5);
    EXPECT_FALSE(row.summary.features.empty());
    EXPECT_FALSE(row.summary.survey.empty());
  }
  EXPECT_EQ(summary["nuclei"], rows[0].summary.nuclei.value() + rows[1].summary.nuclei.value());
}

TEST(Study, KeepsARowARunThatHadSomethingToDo) {
  const TemporaryFolder folder;
  const std::string one = kNamed[0].slide,
                    line = std::string(kOptions) + "--policy eager --cpus 2 --out " + folder / "study";
  ASSERT_EQ(shell("starpath segment " + one + " " + kNamed[1].slide + line + " --quiet").code, 0);
  ASSERT_EQ(shell("starpath segment " + one + " " + kNamed[1].slide + line + " --quiet --resume").code, 0);
  const auto runs = io::StudyStore::open(folder / "study/study.sqlite").runs();
  ASSERT_EQ(runs.size(), 1u);
  const auto run = nlohmann::json::parse(runs[0]);
  EXPECT_EQ(run["policy"], "eager");
  EXPECT_EQ(run["devices"], nlohmann::json::parse(R"([{"name": "cpu", "workers": 2}])"));
  EXPECT_EQ(run["slides"], 2);
  EXPECT_FALSE(run["interrupted"]);
  EXPECT_GT(run["seconds"], 0);
  std::int64_t tasks = 0;
  for (const auto& [stage, share] : run["shares"]["cpu"].items()) tasks += share["tasks"].get<std::int64_t>();
  EXPECT_GE(tasks, run["tiles"].get<std::int64_t>());
  EXPECT_EQ(run["ended"].get<std::string>().size(), std::string("2026-01-01 00:00 UTC").size());
}

TEST(Study, AFailedSlideDoesNotStopTheOthersAndIsTriedAgain) {
  const TemporaryFolder folder;
  const std::string study = folder / "study", late = folder / "late.png";
  const std::string slides = kNamed[0].slide + " " + late + " " + kNamed[2].slide + kOptions + "--out " + study;
  const auto run = shell("starpath segment " + slides);
  expect_says(run, 6, {"failed: late: " + late + ": no such file", "1 of 3 slides failed", "--resume"});
  expect_same(alone() / kNamed[2].folder, study + "/" + kNamed[2].folder);
  EXPECT_EQ(rows_of(study)[1].summary.state, io::SlideState::failed);

  std::ofstream(late) << "no image";
  expect_says(shell("starpath segment --resume " + slides), 6, {"late.png: is a text file, not an image"});
  fs::remove(late);
  fs::copy(alone() / kNamed[1].folder + "/overlay.png", late);
  const auto again = shell("starpath segment --resume " + slides);
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(again.output.find(kNamed[0].folder + ": "), std::string::npos) << again.output;  // not begun again
}

TEST(Study, KilledAtAnyMomentItResumesToTheSameBytes) {
  const TemporaryFolder folder;
  const std::string run = "segment " + kAll + kOptions + "--quiet";
  const double seconds = test::seconds_of(run + " --out " + folder / "whole");
  for (int round = 0; round < 3; ++round) {
    const std::string study = folder / ("killed" + std::to_string(round));
    ASSERT_NO_FATAL_FAILURE(test::kill_and_resume(run, study, seconds, 30));
    expect_same_as_alone(study);
  }
}

TEST(Study, InterruptedItKeepsWhatIsFinished) {
  const TemporaryFolder folder;
  const std::string study = folder / "study", large = study + "/synthetic_2000x2000";
  const std::string run =
      STARPATH_PROGRAM " segment synthetic:2000x2000 " + kAll + kOptions + "--export none --out " + study;
  const auto outcome =
      shell(run + " & while [ ! -e " + large + "/results.sqlite ]; do sleep 0.02; done; kill -INT $!; wait $!");
  expect_says(outcome, 130, {"interrupted", "continue with --resume"});
  expect_says(shell(run), 4, {"holds a study already", "--resume", "--overwrite"});
  EXPECT_EQ(shell(run + " --resume").code, 0);
  for (const io::StudyRow& row : rows_of(study)) EXPECT_EQ(row.summary.state, io::SlideState::done);
}

TEST(Study, OtherParametersAndVersionsAreRefused) {
  const TemporaryFolder folder;
  const std::string run = "starpath segment " + kAll + " --quiet --export none --out " + folder / "study ";
  ASSERT_EQ(shell(run + "--tile 256 --halo 64").code, 0);
  expect_one_line(shell(run + "--tile 512 --halo 64 --resume"), 5, {"study.sqlite", "tile was 256 and is 512"});
  Database(folder / "study/study.sqlite", Database::Open::existing)
      .execute(
          "UPDATE study SET value = '0.0.1' WHERE key = 'starpath_version'; DROP TABLE checksums; PRAGMA user_version "
          "= 2");
  expect_one_line(shell(run + "--tile 256 --halo 64 --resume"), 5, {"made by starpath 0.0.1"});
  EXPECT_EQ(shell(run + "--tile 512 --halo 64 --overwrite").code, 0);
}

TEST(Study, OptionsThatNoSlideCanHaveAreRefusedAtOnce) {
  const TemporaryFolder folder;
  const std::string study = folder / "study";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"--features nosuch", "no feature 'nosuch'"},
      {"--set G1=20,G2=60", "G2=60 and G1=20 contradict"},
      {"--set nosuch=1", "nosuch"},
      {"--mpp 1000", "--mpp: cannot go from 1000 to 0.5 um/px"},
      {"--work-mpp 9", "--work-mpp 9"},
      {"--tile 10", "--tile 10 is smaller than --halo"},
      {"--tile 100000", "--tile 100000 with --halo"},
      {"--tile 256 --halo 8", "--halo 8 is too small"},
      {"--window=-1", "--window -1"},
      {"--roi=-1,0,5,5", "--roi takes x,y,width,height"}};
  for (const auto& [options, why] : wrong) {
    expect_one_line(shell("starpath segment synthetic:300x300 synthetic:300x200 --out " + study + " " + options), 2,
                    {why});
    EXPECT_FALSE(fs::exists(study)) << options;
  }
  for (const char* option : {"--roi ", "--exclude "}) {
    const std::string missing = option + folder / "none.geojson";
    expect_one_line(shell("starpath segment synthetic:300x300 synthetic:300x200 --out " + study + " " + missing), 3,
                    {"none.geojson"});
    EXPECT_FALSE(fs::exists(study)) << missing;
  }
}

TEST(Study, AStartThatFailsReplacesNothing) {
  const TemporaryFolder folder;
  const std::string run =
      "starpath segment synthetic:300x300 synthetic:300x200 --quiet --export csv --out " + folder / "study";
  ASSERT_EQ(shell(run).code, 0);
  const std::vector<std::string> files = {"/study.sqlite", "/synthetic_300x300/results.sqlite",
                                          "/synthetic_300x300/nuclei.csv"};
  std::vector<std::string> before;
  for (const std::string& file : files) before.push_back(read_file(folder / "study" + file));
  EXPECT_EQ(shell(run + " --overwrite --cpus 0").code, 7);
  for (std::size_t i = 0; i < files.size(); ++i)
    EXPECT_TRUE(read_file(folder / "study" + files[i]) == before[i]) << files[i];
}

TEST(Study, AFolderOfImagesIsAStudyAndAFolderOfTilesASlide) {
  const TemporaryFolder folder;
  const std::string images = folder / "images", tiles = folder / "tiles";
  const std::string overlay = alone() / kNamed[0].folder + "/overlay.png";
  for (const std::string& each : {images, tiles}) fs::create_directories(each);
  for (const char* name : {"lung", "liver"}) fs::copy(overlay, images + "/" + name + ".png");
  for (const char* name : {"r0_c0", "r0_c1"}) fs::copy(overlay, tiles + "/" + name + ".png");
  std::ofstream(images + "/notes.txt") << "not an image";
  const std::string options = std::string(kOptions) + "--quiet --export csv --out ";
  ASSERT_EQ(shell("starpath segment " + images + options + folder / "a").code, 0);
  EXPECT_EQ(rows_of(folder / "a").size(), 2u);
  EXPECT_TRUE(fs::exists(folder / "a/liver/nuclei.csv"));
  ASSERT_EQ(shell("starpath segment " + tiles + options + folder / "b").code, 0);
  EXPECT_TRUE(fs::exists(folder / "b/nuclei.csv"));
  EXPECT_FALSE(fs::exists(folder / "b/study.sqlite"));
  ASSERT_EQ(shell("starpath segment " + images + " " + tiles + options + folder / "c").code, 0);
  EXPECT_EQ(rows_of(folder / "c").size(), 3u);
}

TEST(Study, BadInputIsOneLine) {
  const TemporaryFolder folder;
  const std::string study = folder / "study";
  const auto run = [&](const std::string& what) { return shell("starpath segment " + what + " --out " + study); };
  expect_one_line(run("synthetic:9x9 synthetic:9x9"), 2, {"is given twice"});
  expect_one_line(run("--slides " + folder / "none.csv"), 3, {"none.csv", "No such file"});
  expect_one_line(run("--slides list.csv synthetic:9x9"), 2, {"--slides"});
  fs::create_directories(folder / "empty");
  expect_one_line(run(folder / "empty"), 3, {"holds no PNG, JPEG or TIFF image"});
  expect_one_line(run(folder / "empty synthetic:9x9"), 3, {"holds no slide or image"});
  expect_one_line(run("synthetic:9x9 synthetic:8x8 --policy none"), 2, {"unknown policy"});
  EXPECT_FALSE(fs::exists(study));
}

TEST(Study, ASlideThatIsReplacedFailsAlone) {
  const TemporaryFolder folder;
  const std::string slide = folder / "slide.png", study = folder / "study";
  fs::copy(alone() / kNamed[0].folder + "/overlay.png", slide);
  const auto run =
      shell("(while :; do touch " + slide + "; sleep 0.01; done) & touching=$!; starpath segment " + slide + " " +
            kNamed[1].slide + kOptions + "--quiet --out " + study + "; code=$?; kill $touching; wait; exit $code");
  expect_says(run, 6, {"slide.png", "while it was read"});
  expect_same(alone() / kNamed[1].folder, study + "/" + kNamed[1].folder);
}

}  // namespace
}  // namespace starpath
