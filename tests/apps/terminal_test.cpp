// Standard output and standard error that lead nowhere, and numbers on the command line that are none.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::shell;
using test::TemporaryFolder;

constexpr const char* kSlide = "synthetic:200x200 --export csv --out ";

TEST(StandardOutput, AFullDeviceIsNoSuccess) {
  const TemporaryFolder folder;
  for (const std::string& command : {std::string("info synthetic:100x100"), std::string("policies"),
                                     std::string("env pats"), "segment --json " + (kSlide + folder / "out")}) {
    const auto run = shell("starpath " + command + " >/dev/full");
    EXPECT_EQ(run.code, 4) << command;
    EXPECT_NE(run.output.find("standard output"), std::string::npos) << run.output;
  }
  EXPECT_EQ(shell("starpath --help >/dev/full").code, 4);
  EXPECT_EQ(shell("starpath info synthetic:100x100 >&-").code, 4);
}

TEST(StandardError, IsNotNeeded) {
  const TemporaryFolder folder;
  for (const std::string nowhere : {" 2>/dev/full", " 2>&-"}) {
    const std::string out = folder / ("out" + std::to_string(nowhere.size()));
    const auto run = shell("starpath segment " + (kSlide + out) + nowhere);
    EXPECT_EQ(run.code, 0) << nowhere << run.output;
    EXPECT_TRUE(test::read_file(out + "/nuclei.csv").starts_with("id")) << nowhere;
  }
}

TEST(StandardOutput, NamesNeedNotBeUtf8) {
  const TemporaryFolder folder;
  const auto run = shell("starpath segment --json " + (kSlide + folder / "out") + "$(printf '\\377')");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("\"event\":\"summary\""), std::string::npos) << run.output;
}

TEST(FileSizeLimit, IsAFullDisk) {
  const TemporaryFolder folder;
  expect_one_line(shell("ulimit -f 30; starpath segment synthetic:2000x2000 --quiet --out " + folder / "out"), 4,
                  {"results.sqlite", "check the disk"});
  expect_one_line(shell("ulimit -f 1; starpath nbia train synthetic:4096x4096,pattern=stroma --out " +
                        folder / "m 2>&1 "
                                 "| tail -1; exit ${PIPESTATUS[0]}"),
                  4, {"cannot be written", "free some space"});
}

TEST(OutOfMemory, SaysWhatTheCommandHas) {
  const auto run = shell("ulimit -v 3000000; starpath loop heart --cpus 1 --n 2000000000");
  expect_one_line(run, 7, {"out of memory", "--n"});
  expect_one_line(shell("starpath loop heat2d --n 2000000000"), 7, {"out of memory", "--n"});  // more than any memory
  EXPECT_EQ(run.output.find("--window"), std::string::npos) << run.output;
}

TEST(Numbers, MustBeNumbersOfTheirRange) {
  const TemporaryFolder folder;
  const std::string slide = kSlide + folder / "out";
  for (const char* value : {"nan", "inf", "-1", "0", "1e308", "0.5x"}) {
    for (const std::string& command :
         {"segment " + slide + " --mpp ", std::string("info synthetic:10x10 --mpp "),
          "segment " + slide + " --patience ", std::string("compare segment synthetic:10x10 --timeout ")}) {
      const auto run = shell("starpath " + command + value);
      EXPECT_EQ(run.code, 2) << command << value << run.output;
      EXPECT_NE(run.output.find("0.001 to 1"), std::string::npos) << run.output;
    }
  }
  EXPECT_EQ(shell("starpath nbia run " + slide + " --recalc-rate nan").code, 2);
  EXPECT_EQ(shell("starpath loop heart --slow nan").code, 2);
  EXPECT_EQ(shell("starpath profile prune --profile none --keep -1").code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace starpath
