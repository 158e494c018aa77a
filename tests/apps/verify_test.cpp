// `starpath verify`.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/sqlite.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::shell;
using test::TemporaryFolder;

TEST(Verify, TellsWhatARunWroteFromWhatHasChanged) {
  const TemporaryFolder folder;
  const std::pair<const char*, const char*> runs[] = {
      {"segment synthetic:600x600,seed=3 --tile 512", "UPDATE objects SET centroid_x = centroid_x + 1 WHERE tile = 3"},
      {"nbia run synthetic:2048x2048,pattern=stroma", "UPDATE fields SET label = 'background' WHERE field = 3"}};
  for (const auto& [command, change] : runs) {
    const std::string out = folder / std::string(command).substr(0, 4), results = out + "/results.sqlite";
    const auto run = shell(std::string("starpath ") + command + " --quiet --export none --out " + out);
    ASSERT_EQ(run.code, 0) << run.output;
    for (const std::string& named : {results, out})
      expect_one_line(shell("starpath verify " + named), 0, {results, "whole", "guarded"});
    Database(results, Database::Open::existing).execute(change);
    expect_one_line(shell("starpath verify " + results), 5, {results, "is damaged", " 3 is not what was written"});
    expect_says(shell(std::string("starpath ") + command + " --resume --out " + out), 5, {results, "is damaged"});
  }
}

TEST(Verify, ResultsWithoutChecksumsAreNotCalledWhole) {
  const TemporaryFolder folder;
  const std::string results = folder / "out/results.sqlite";
  ASSERT_EQ(shell("starpath segment synthetic:300x300 --quiet --export none --out " + folder / "out").code, 0);
  Database(results, Database::Open::existing).execute("DELETE FROM checksums; PRAGMA user_version = 2");
  expect_one_line(shell("starpath verify " + results), 5, {results, "none of its tiles has a checksum"});
}

TEST(Verify, ARunThatWasStoppedIsCalledSo) {
  const TemporaryFolder folder;
  const std::string results = folder / "out/results.sqlite";
  ASSERT_EQ(shell("starpath segment synthetic:300x300 --quiet --export none --out " + folder / "out").code, 0);
  expect_one_line(shell("starpath verify --json " + results), 0, {R"("finished":true)", R"("tiles":1)"});
  expect_one_line(shell("starpath verify " + results), 0, {"whole; 1 tile, 1 guarded by checksums\n"});
  Database(results,
           Database::Open::existing)  // as after a kill of 0.2.0: no nuclei accepted, and no checksums of the end
      .execute(
          "DELETE FROM run WHERE key = 'finished'; DELETE FROM accepted; DELETE FROM checksums WHERE unit < 0; PRAGMA "
          "user_version = 2");
  expect_one_line(shell("starpath verify " + results), 0, {results, "whole", "stopped before its end", "--resume"});
  expect_one_line(shell("starpath verify --json " + results), 0, {R"("finished":false)"});
}

TEST(Verify, OtherFilesAreRefused) {
  const TemporaryFolder folder;
  expect_one_line(shell("starpath verify " + folder / "none.sqlite"), 3, {"none.sqlite"});
  expect_one_line(shell("starpath verify /etc/passwd"), 5, {"/etc/passwd"});
  std::filesystem::create_directories(folder / "out/results.sqlite");
  expect_one_line(shell("starpath verify " + folder / "out"), 3,
                  {"out/results.sqlite: cannot be read (Is a directory); check the path"});
}

TEST(OfAStudy, ExportAndVerifyTakeAllSlides) {
  const TemporaryFolder folder;
  const std::string study = folder / "study";
  ASSERT_EQ(shell("starpath segment synthetic:300x300,mpp=0.5 synthetic:300x200,mpp=0.5 --quiet --export none "
                  "--out " +
                  study)
                .code,
            0);
  const std::string first = study + "/synthetic_300x300_mpp_0.5/", second = study + "/synthetic_300x200_mpp_0.5/";
  expect_says(shell("starpath export " + study + " --format csv"), 0, {first + "nuclei.csv", second + "nuclei.csv"});
  expect_says(shell("starpath verify " + study), 0, {first + "results.sqlite: whole", second});
  for (const char* option : {"--out", "--slide"})
    expect_one_line(shell("starpath export " + study + " --format csv " + option + " x"), 2,
                    {"is a study, and " + std::string(option)});
  for (const char* command : {"export --format csv ", "verify "})
    expect_one_line(shell("starpath " + std::string(command) + study + "/study.sqlite"), 2,
                    {study + "/study.sqlite: give the folder that it is in"});
  std::filesystem::resize_file(first + "results.sqlite", 5000);
  expect_says(shell("starpath verify " + study), 5,
              {first + "results.sqlite: ", second + "results.sqlite: whole", study + ": 1 of 2 slides are not whole"});
}

}  // namespace
}  // namespace starpath
