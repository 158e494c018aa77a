// Child processes: what they say, how they end, and that none outlives its limit.
#include "base/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"

namespace starpath {
namespace {

using namespace std::chrono_literals;

ChildOutcome shell(const std::string& script, std::chrono::milliseconds limit = 10min) {
  return run_child({"/bin/sh", "-c", script}, current_environment(), limit);
}

TEST(ChildProcess, KeepsWhatItSaysOnBothStreams) {
  const ChildOutcome outcome = shell("echo out; echo problem >&2");
  EXPECT_EQ(outcome.output, "out\n");
  EXPECT_EQ(outcome.errors, "problem\n");
  EXPECT_EQ(outcome.failure(), "");
}

TEST(ChildProcess, ReadsMoreThanAPipeHolds) {
  const ChildOutcome outcome = shell("head -c 1000000 /dev/zero; head -c 1000001 /dev/zero >&2");
  EXPECT_EQ(outcome.output.size(), 1000000u);
  EXPECT_EQ(outcome.errors.size(), 1000001u);
}

TEST(ChildProcess, SeesTheEnvironmentThatItIsGivenAndNoInput) {
  const ChildOutcome outcome =
      run_child({"/bin/sh", "-c", "echo $WHAT; env | grep -c HOME; cat"}, {{"WHAT", "that"}}, 10min);
  EXPECT_EQ(outcome.output, "that\n0\n");
}

TEST(ChildProcess, SaysHowItEnded) {
  EXPECT_EQ(shell("exit 3").failure(), "exit status 3");
  EXPECT_EQ(shell("kill -9 $$").failure(), "killed by signal 9 (Killed)");
}

TEST(ChildProcess, IsKilledAtTheLimit) {
  const ChildOutcome outcome = shell("echo begun; exec sleep 1000", 300ms);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_NE(outcome.failure().find("took longer than"), std::string::npos);
}

TEST(ChildProcess, IsKilledAtTheLimitAlsoWithItsPipesClosed) {
  EXPECT_TRUE(shell("exec sleep 1000 >/dev/null 2>&1", 300ms).timed_out);
}

// Its own child keeps the pipes open after it is gone.
TEST(ChildProcess, IsNotWaitedForThroughItsChildren) {
  ChildOutcome outcome;
  for (auto limit = 1s; outcome.output.empty() && limit <= 64s;
       limit *= 4) {  // a busy machine is slow to start a shell
    outcome = shell("sleep 100 & echo $!; sleep 1000", limit);
    EXPECT_TRUE(outcome.timed_out);
  }
  ASSERT_FALSE(outcome.output.empty());
  EXPECT_EQ(kill(std::stoi(outcome.output), SIGKILL), 0) << "it was waited for";
}

TEST(ChildProcess, IsKilledWhenItIsNotWanted) {
  std::atomic<bool> stop{false};
  std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    stop = true;
  });
  const ChildOutcome outcome = run_child({"/bin/sleep", "1000"}, current_environment(), 10min, &stop);
  EXPECT_EQ(outcome.failure(), "killed by signal 9 (Killed)");
}

TEST(ChildProcess, ThatDoesNotExistIsAnError) { EXPECT_THROW(run_child({"/no/such/program"}, {}, 1s), Error); }

TEST(TemporaryFolder, GoesWithItsOwner) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_TRUE(std::filesystem::is_directory(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace starpath
