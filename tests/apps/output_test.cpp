// Where a run writes: a folder that another run is using, links, devices and pipes.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/command.hpp"
#include "tests/apps/started_command.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

struct Command {
  std::string run;    // of some tiles, for some seconds
  std::string table;  // the last export
};

const Command kSegmentation{"segment synthetic:1600x1200,seed=4 --tile 256 --halo 64 --window 1 --cpus 1 --quiet",
                            "nuclei.csv"};
const Command kNbia{"nbia run synthetic:6000x5000,pattern=stroma --window 1 --cpus 1 --quiet", "fields.csv"};

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Until `command` has made the file; false when it ends before.
bool has_made(const test::StartedCommand& command, const std::string& file) {
  return test::wait_until([&] { return fs::exists(file) || !command.runs(); }) && fs::exists(file);
}

class Output : public testing::TestWithParam<Command> {};

TEST_P(Output, AFolderInUseIsLeftToTheRunThatHasIt) {
  const TemporaryFolder folder;
  const std::string command = "starpath " + GetParam().run + " --out ";
  ASSERT_EQ(shell(command + folder / "alone").code, 0);
  test::StartedCommand first(words(GetParam().run + " --out " + folder / "out"), folder / "said");
  ASSERT_TRUE(has_made(first, folder / "out/results.sqlite"));
  first.signal(SIGSTOP);  // however fast the machine is
  for (const char* option : {" --overwrite", " --resume", ""})
    expect_one_line(shell(command + folder / "out" + option), 4,
                    {"in use by process " + std::to_string(first.process()), "wait until"});
  first.signal(SIGCONT);
  const auto ended = first.end();
  EXPECT_EQ(ended.code, 0) << ended.output;
  const std::string table = "/" + GetParam().table;
  EXPECT_EQ(read_file(folder / "out" + table), read_file(folder / "alone" + table));
  EXPECT_FALSE(fs::exists(folder / "out/results.lock"));
  EXPECT_EQ(shell(command + folder / "out --overwrite").code, 0) << "it is free again";
}

TEST_P(Output, AfterAKillTheFolderIsFreeAtOnce) {
  const TemporaryFolder folder;
  const std::string run = GetParam().run + " --out " + folder / "out";
  test::StartedCommand killed(words(run), folder / "said");
  ASSERT_TRUE(has_made(killed, folder / "out/results.sqlite"));
  killed.signal(SIGKILL);
  killed.end();
  const auto resumed = shell("starpath " + run + " --resume");
  EXPECT_EQ(resumed.code, 0) << resumed.output;
  EXPECT_TRUE(fs::exists(folder / "out/" + GetParam().table));
}

TEST_P(Output, AStartThatFailsReplacesNothing) {
  const TemporaryFolder folder;
  const std::string command = "starpath " + GetParam().run + " --out " + folder / "out";
  ASSERT_EQ(shell(command).code, 0);
  const std::string before = read_file(folder / "out/results.sqlite");
  std::string without_workers = command + " --overwrite";
  without_workers.replace(without_workers.find("--cpus 1"), 8, "--cpus 0");
  const auto failed = shell(without_workers);
  EXPECT_EQ(failed.code, 7) << failed.output;
  ASSERT_TRUE(fs::exists(folder / "out/results.sqlite"));
  EXPECT_TRUE(read_file(folder / "out/results.sqlite") == before);
  EXPECT_EQ(shell(command + " --overwrite").code, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, Output, testing::Values(kSegmentation, kNbia),
                         [](const auto& suite) { return suite.index == 0 ? "segmentation" : "nbia"; });

TEST(Overwrite, RemovesTheExportsOfWhatItReplaces) {
  const TemporaryFolder folder;
  const std::string out = " --quiet --out " + folder / "out", overlay = folder / "out/overlay.png";
  ASSERT_EQ(shell("starpath segment synthetic:600x600 --export geojson,overlay" + out).code, 0);
  fs::copy(overlay, folder / "out/map.png");  // a name that exports of NBIA have
  const std::string slide = read_file(overlay);
  const auto run = shell("starpath segment " + overlay + " --mpp 0.5 --export csv --overwrite" + out);
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_FALSE(fs::exists(folder / "out/nuclei.geojson"));
  EXPECT_TRUE(read_file(overlay) == slide) << "it is the slide";
  EXPECT_EQ(
      shell("starpath nbia run synthetic:600x600,pattern=stroma --model bundled --export csv --overwrite" + out).code,
      0);
  EXPECT_FALSE(fs::exists(folder / "out/nuclei.csv"));
  EXPECT_FALSE(fs::exists(overlay));
  EXPECT_TRUE(fs::exists(folder / "out/map.png")) << "nobody knows whose it is";
}

class Record : public testing::Test {
 protected:
  test::Outcome run(const std::string& record, const std::string& more = "") const {
    return shell("starpath segment synthetic:200x200 --quiet --export none --overwrite --out " + folder / "out" +
                 " --record " + record + more);
  }
  const TemporaryFolder folder;
};

TEST_F(Record, GoesThroughDevicesAndPipes) {
  const auto printed = run("/dev/stdout");
  ASSERT_EQ(printed.code, 0) << printed.output;
  EXPECT_EQ(nlohmann::json::parse(printed.output).at("policy"), "apex");
  fs::create_symlink("/dev/null", folder / "null");
  EXPECT_EQ(run(folder / "null").code, 0);
  EXPECT_EQ(fs::read_symlink(folder / "null"), "/dev/null");
  EXPECT_EQ(shell("mkfifo " + folder / "pipe").code, 0);
  EXPECT_EQ(run(folder / "pipe", " & cat " + folder / "pipe >" + folder / "read; wait $!").code, 0);
  EXPECT_EQ(nlohmann::json::parse(read_file(folder / "read")).at("policy"), "apex");
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

TEST_F(Record, LinksToFilesAreRefused) {
  std::ofstream(folder / "precious") << "precious";
  fs::create_symlink(folder / "precious", folder / "link");
  expect_one_line(run(folder / "link"), 4, {"link: cannot be written (is a symbolic link)", "remove the link"});
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "precious"), "precious");
}

TEST_F(Record, ExportsFollowNoLinkOfATemporaryName) {
  std::ofstream(folder / "precious") << "precious";
  fs::create_directory(folder / "out");
  fs::create_symlink(folder / "precious", folder / "out/nuclei.csv.part");
  const auto run = shell("starpath segment synthetic:200x200 --quiet --export csv --out " + folder / "out");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(read_file(folder / "precious"), "precious");
  EXPECT_FALSE(read_file(folder / "out/nuclei.csv").empty());
}

TEST(OutputLinks, AResultsFileThatIsALinkToNothingStays) {
  const TemporaryFolder folder;
  const std::string slide = "synthetic:300x300", other = "synthetic:300x300,seed=2";
  const std::pair<std::string, const char*> runs[] = {{"segment " + slide, "results.sqlite"},
                                                      {"nbia run synthetic:1024x1024,pattern=stroma", "results.sqlite"},
                                                      {"segment " + slide + " " + other, "study.sqlite"}};
  for (const auto& [run, file] : runs) {
    const std::string out = folder / "out", link = out + "/" + file;
    const std::string call = "starpath " + run + " --quiet --export none --cpus 1 --out " + out;
    fs::create_directory(out);
    fs::create_symlink("nowhere.sqlite", link);
    for (const char* option : {"", " --resume"}) {
      expect_one_line(shell(call + option), 4, {link, "is a link to a file that is not there", "--out"});
      EXPECT_TRUE(fs::is_symlink(link)) << call << option;
    }
    const auto replaced = shell(call + " --overwrite");
    EXPECT_EQ(replaced.code, 0) << replaced.output;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(link)));
    EXPECT_FALSE(fs::exists(out + "/nowhere.sqlite"));
    fs::remove_all(out);
  }
}

}  // namespace
}  // namespace starpath
