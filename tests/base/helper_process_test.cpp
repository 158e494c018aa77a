// Helpers that answer, and those that do not.
#include "base/helper_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/error.hpp"

namespace starpath {
namespace {

using namespace std::chrono_literals;
using Answer = HelperProcess::Answer;

std::unique_ptr<HelperProcess> helper() {
  return std::make_unique<HelperProcess>(STARPATH_TEST_HELPER, std::vector<std::string>{}, 4096);
}

Answer ask(const HelperProcess& process, char what, int& reply, std::chrono::milliseconds limit = 30s) {
  if (!process.tell(std::as_bytes(std::span(&what, 1)))) return Answer::ended;
  return process.hear(std::as_writable_bytes(std::span(&reply, 1)), limit);
}

int answer(const HelperProcess& process, char what) {
  int reply = -1;
  EXPECT_EQ(ask(process, what, reply), Answer::came) << what;
  return reply;
}

TEST(HelperProcess, Answers) {
  const auto process = helper();
  EXPECT_EQ(answer(*process, 'q'), 'q');
  EXPECT_EQ(answer(*process, 'r'), 'r');
}

TEST(HelperProcess, MemoryIsShared) {
  const auto process = helper();
  EXPECT_EQ(answer(*process, 'm'), 0);
  EXPECT_EQ(std::memcmp(process->shared().data(), "shared", 6), 0);
  EXPECT_EQ(process->shared().size(), 4096u);
}

// A page that is gone would end the process that looks at it.
TEST(HelperProcess, ItsMemoryCannotBeTakenAway) {
  const auto process = helper();
  EXPECT_EQ(answer(*process, 't'), -1);
  EXPECT_EQ(process->shared()[4095], std::byte{});
}

TEST(HelperProcess, HasNoFilesOfItsParent) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  const auto process = helper();
  EXPECT_EQ(answer(*process, 'f'), 5) << "the standard ones, the socket and the memory";
  ::close(leaked);
}

TEST(HelperProcess, SaysHowItEnded) {
  int reply = 0;
  const auto aborts = helper(), exits = helper();
  EXPECT_EQ(ask(*aborts, 'a', reply), Answer::ended);
  EXPECT_EQ(aborts->end(), "was ended by signal 6 (Aborted)");
  EXPECT_EQ(ask(*exits, 'x', reply), Answer::ended);
  EXPECT_EQ(exits->end(), "ended by itself with exit status 3");
  EXPECT_EQ(ask(*exits, 'q', reply), Answer::ended) << "it answers after its end";
}

TEST(HelperProcess, IsNotWaitedForLongerThanTheLimit) {
  const auto process = helper();
  int reply = 0;
  EXPECT_EQ(ask(*process, 's', reply, 50ms), Answer::late);
  EXPECT_EQ(process->end(), "was ended by signal 9 (Killed)");
}

TEST(HelperProcess, AnswersOfAnotherSizeAreNone) {
  const auto process = helper();
  int reply = 0;
  EXPECT_EQ(ask(*process, 'l', reply), Answer::malformed);
}

TEST(HelperProcess, LeavesNothingBehind) {
  pid_t process = 0;
  {
    const auto sleeps = helper();
    process = sleeps->process();
    EXPECT_EQ(::kill(process, 0), 0);
  }
  EXPECT_EQ(::kill(process, 0), -1) << "it runs, or nobody waited for its end";
  EXPECT_EQ(errno, ESRCH);
}

// The system ends a helper with the thread that started it.
TEST(HelperProcess, OutlivesTheThreadThatAskedForIt) {
  std::unique_ptr<HelperProcess> process;
  std::thread([&] {
    process = helper();
    EXPECT_EQ(answer(*process, 'q'), 'q');  // it is past its start
  }).join();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(answer(*process, 'q'), 'q');
}

TEST(HelperProcess, SignalsOfATerminalDoNotEndIt) {
  const auto process = helper();
  EXPECT_EQ(answer(*process, 'q'), 'q');
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::kill(process->process(), signal);
  EXPECT_EQ(answer(*process, 'r'), 'r');
}

TEST(HelperProcess, EndsWithItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::execl(STARPATH_TEST_HELPER, STARPATH_TEST_HELPER, "start", STARPATH_TEST_HELPER, nullptr);
    ::_exit(127);
  }
  std::array<char, 32> text{};
  ASSERT_GT(::read(ends[0], text.data(), text.size() - 1), 0);
  const auto process = static_cast<pid_t>(std::stol(text.data()));
  EXPECT_EQ(::kill(process, 0), 0);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  const auto state = [&] {  // nobody may wait for it here, in a container without init
    std::string stat(256, '\0');
    FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "r");
    if (file == nullptr) return 'Z';
    stat.resize(std::fread(stat.data(), 1, stat.size(), file));
    std::fclose(file);
    const std::size_t name = stat.rfind(") ");
    return name == std::string::npos ? 'Z' : stat[name + 2];
  };
  for (int i = 0; i < 3000 && state() != 'Z'; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(state(), 'Z') << "it goes on without its parent";
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(HelperProcess, ThatCannotBeStartedIsAnError) {
  try {
    const HelperProcess process("/nowhere/program", {}, 4096);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::runtime);
    EXPECT_STREQ(error.what(), "cannot start /nowhere/program: No such file or directory; install starpath again");
  }
}

}  // namespace
}  // namespace starpath
