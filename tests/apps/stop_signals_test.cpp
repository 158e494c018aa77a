// Signals end every command in the same way.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/apps/made_up_study.hpp"
#include "tests/apps/started_command.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::StartedCommand;
using test::TemporaryFolder;
using test::wait_until;

constexpr int kStops[] = {SIGINT, SIGTERM, SIGHUP};

bool holds_part(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".part") return true;
  return false;
}

TEST(StopSignals, LeaveNoUnfinishedFile) {
  for (const int signal : kStops) {
    SCOPED_TRACE(strsignal(signal));
    const TemporaryFolder folder;
    fs::create_directory(folder / "out");
    StartedCommand command({"tissue", "synthetic:200000x200000,seed=3", "--out", folder / "out/tissue.geojson"},
                           folder / "said");
    ASSERT_TRUE(wait_until([&] { return holds_part(folder / "out"); })) << command.end().output;
    command.signal(signal);
    expect_one_line(command.end(), 130, {"starpath: interrupted by SIG"});
    EXPECT_TRUE(fs::is_empty(folder / "out"));
  }
}

TEST(StopSignals, EndCommandsThatDoNotLookForThem) {
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> commands = {
      {"loop", "blackscholes", "--n", "2000000000"},
      {"nbia", "train", "synthetic:200000x200000,pattern=stroma", "--out", folder / "model.json"},
      {"tissue", "synthetic:200000x200000", "--out", folder / "tissue.png"}};
  for (const auto& arguments : commands)
    for (const int signal : kStops) {
      SCOPED_TRACE(arguments[0] + ": " + strsignal(signal));
      StartedCommand command(arguments, folder / "said");
      ASSERT_TRUE(wait_until([&] { return command.catches(SIGTERM); })) << command.end().output;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      command.signal(signal);
      expect_one_line(command.end(), 130, {"starpath: interrupted by SIG"});
    }
}

TEST(StopSignals, EndTheCohortWhilePythonStarts) {
  const TemporaryFolder folder;
  test::make_study(folder / "study", {{"A", "", 40}, {"B", "", 41}, {"C", "", 42}});
  for (const int milliseconds : {0, 5, 10, 20, 40, 60}) {
    SCOPED_TRACE(milliseconds);
    StartedCommand command({"cohort", folder / "study"}, folder / "said");
    ASSERT_TRUE(wait_until([&] { return command.catches(SIGINT); })) << command.end().output;
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    command.signal(SIGINT);
    expect_one_line(command.end(), 130, {"starpath: interrupted by SIGINT"});
  }
}

TEST(StopSignals, AHangUpThatIsIgnoredStaysIgnored) {
  const TemporaryFolder folder;
  StartedCommand command({"tissue", "synthetic:200000x200000", "--out", folder / "tissue.png"}, folder / "said",
                         SIGHUP);
  ASSERT_TRUE(wait_until([&] { return command.catches(SIGTERM); })) << command.end().output;
  command.signal(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(command.runs());
  command.signal(SIGTERM);
  expect_one_line(command.end(), 130, {"SIGTERM"});
}

TEST(StopSignals, AHangUpLetsARunFinishWhatItHasBegun) {
  const TemporaryFolder folder;
  StartedCommand command({"segment", "synthetic:30000x30000", "--tile", "512", "--quiet", "--out", folder / "out"},
                         folder / "said");
  std::error_code missing;
  const auto has_tiles = [&] {
    const auto size = fs::file_size(folder / "out/results.sqlite", missing);
    return !missing && size > 1'000'000;
  };
  ASSERT_TRUE(wait_until(has_tiles)) << command.end().output;
  command.signal(SIGHUP);
  test::expect_says(command.end(), 130, {"interrupted; finished tiles are kept, continue with --resume"});
}

TEST(StopSignals, EndTheWaitForTheReaderOfAPipe) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe", out = folder / "out";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  StartedCommand run({"segment", "synthetic:1500x1500", "--export", "none", "--quiet", "--out", out}, folder / "said");
  ASSERT_EQ(run.end().code, 0);
  for (const bool is_read : {false, true}) {  // at all; but by a program that reads nothing
    const int reader = is_read ? ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK) : -1;
    StartedCommand command({"export", out, "--format", "geojson", "--quiet", "--out", pipe}, folder / "said");
    ASSERT_TRUE(wait_until([&] { return command.catches(SIGTERM); })) << command.end().output;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    EXPECT_TRUE(command.runs());
    command.signal(SIGTERM);
    expect_one_line(command.end(), 130, {"interrupted; not written: " + pipe});
    if (reader >= 0) ::close(reader);
  }
}

/// What a command says that is stopped once it has begun to write an export into `folder`.
test::Outcome stopped_while_writing(const std::vector<std::string>& arguments, const std::string& folder,
                                    const std::string& said) {
  StartedCommand command(arguments, said);
  EXPECT_TRUE(wait_until([&] { return holds_part(folder); }));
  command.signal(SIGTERM);
  const auto end = command.end();
  EXPECT_FALSE(holds_part(folder));
  return end;
}

TEST(StopSignals, EndTheExportsOfARun) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::vector<std::pair<std::vector<std::string>, std::string>> runs = {
      {{"segment", "synthetic:6144x6144,seed=1", "--export", "overlay,labels,geojson"}, "overlay.png"},
      {{"nbia", "run", "synthetic:8192x8192,pattern=stroma", "--export", "overlay,csv"}, "overlay.png"}};
  for (const auto& [words, slowest] : runs) {
    SCOPED_TRACE(words[0]);
    fs::create_directory(out);
    std::vector<std::string> run = words;
    run.insert(run.end(), {"--quiet", "--out", out});
    test::expect_says(stopped_while_writing(run, out, folder / "said"), 130,
                      {"starpath: interrupted; not written: ", slowest, "s are kept, continue with --resume"});
    EXPECT_FALSE(fs::exists(fs::path(out) / slowest));
    run.emplace_back("--resume");
    StartedCommand again(run, folder / "said");
    EXPECT_EQ(again.end().code, 0);
    EXPECT_TRUE(fs::exists(fs::path(out) / slowest));
    if (words[0] == "segment")
      test::expect_says(
          stopped_while_writing({"export", out, "--format", "overlay,labels,geojson", "--quiet"}, out, folder / "said"),
          130, {"starpath: interrupted; not written: ", slowest, "export them again"});
    fs::remove_all(out);
  }
}

TEST(StopSignals, EndTheExportsOfAStudyAndOfItsGroups) {
  const TemporaryFolder folder;
  const std::string out = folder / "out", slide = out + "/synthetic_6144x6144";
  std::ofstream(folder / "list.csv") << "path\nsynthetic:6144x6144\n";
  fs::create_directories(slide);
  std::vector<std::string> run = {"segment", "--slides", folder / "list.csv", "--export", "overlay", "--quiet",
                                  "--out",   out};
  test::expect_says(stopped_while_writing(run, slide, folder / "said"), 130, {"interrupted", "--resume"});
  EXPECT_FALSE(fs::exists(slide + "/overlay.png"));
  run.emplace_back("--resume");
  StartedCommand again(run, folder / "said");
  EXPECT_EQ(again.end().code, 0);
  EXPECT_TRUE(fs::exists(slide + "/overlay.png"));
  test::expect_says(
      stopped_while_writing({"cluster", out, "--k", "2", "--quiet", "--no-contact-sheet"}, slide, folder / "said"), 130,
      {"starpath: interrupted; not written: " + slide + "/nuclei.geojson; the clusters are kept, write",
       "`starpath export " + out + " --format geojson`"});
}

TEST(StopSignals, TheProgramOfAProfileEndsWithTheCommand) {
  const TemporaryFolder folder;
  for (const int signal : {SIGTERM, SIGHUP, SIGKILL}) {
    SCOPED_TRACE(strsignal(signal));
    StartedCommand command({"profile", "run", "--profile", folder / "my.profile", "--", "sleep", "1000"},
                           folder / "said");
    ASSERT_TRUE(wait_until([&] { return command.child() != 0; })) << command.end().output;
    const pid_t child = command.child();
    command.signal(signal);
    const auto ended = command.end();
    if (signal != SIGKILL) expect_one_line(ended, 130, {"starpath: interrupted by SIG"});
    EXPECT_TRUE(wait_until([&] { return test::is_gone(child); }));
  }
}

TEST(StopSignals, TheRunsOfAComparisonEndWithIt) {
  const TemporaryFolder folder;
  for (const int signal : {SIGHUP, SIGTERM, SIGKILL}) {
    SCOPED_TRACE(strsignal(signal));
    fs::create_directory(folder / "out");
    StartedCommand command({"compare", "segment", "synthetic:30000x30000", "--policy", "pats", "--calibrate", "0",
                            "--html", folder / "out/page.html"},
                           folder / "said");
    ASSERT_TRUE(wait_until([&] { return command.child() != 0; })) << command.end().output;
    const pid_t child = command.child();
    command.signal(signal);
    const auto ended = command.end();
    EXPECT_TRUE(wait_until([&] { return test::is_gone(child); }));
    if (signal == SIGKILL) break;
    expect_one_line(ended, 130, {"starpath: interrupted; there is no comparison"});
    EXPECT_TRUE(fs::is_empty(folder / "out"));
    fs::remove_all(folder / "out");
  }
}

}  // namespace
}  // namespace starpath
