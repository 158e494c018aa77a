// A program that a test starts and signals.
#pragma once
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/apps/command.hpp"

namespace starpath::test {

/// Until `done`, or for a minute.
inline bool wait_until(const std::function<bool()>& done) {
  for (int i = 0; i < 6000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return done();
}

/// A process that is no more, or only waits to be asked for its status.
inline bool is_gone(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string text{std::istreambuf_iterator<char>(stat), {}};
  const auto end_of_name = text.rfind(") ");
  return end_of_name == std::string::npos || text[end_of_name + 2] == 'Z';
}

class StartedCommand {
 public:
  /// `starpath ARGUMENTS`, each a word, which writes to `said`; `ignored`: a signal that it is started to ignore.
  StartedCommand(const std::vector<std::string>& arguments, std::string said, int ignored = 0)
      : said_(std::move(said)) {
    std::vector<std::string> words = {STARPATH_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    process_ = fork();
    if (process_ != 0) return;
    if (ignored != 0) ::signal(ignored, SIG_IGN);
    setenv("TMPDIR", std::filesystem::path(said_).parent_path().c_str(), 1);  // goes with the test
    if (freopen(said_.c_str(), "w", stdout) != nullptr && dup2(STDOUT_FILENO, STDERR_FILENO) >= 0)
      execv(pointers[0], pointers.data());
    _exit(127);
  }
  ~StartedCommand() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  StartedCommand(const StartedCommand&) = delete;
  StartedCommand& operator=(const StartedCommand&) = delete;

  pid_t process() const { return process_; }
  void signal(int number) const { kill(process_, number); }
  bool runs() const { return !is_gone(process_); }
  /// Whether it is past its first steps.
  bool catches(int signal) const {
    std::ifstream status("/proc/" + std::to_string(process_) + "/status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
  }
  /// A process that it started; 0 for none.
  pid_t child() const {
    const std::string process = std::to_string(process_);
    pid_t child = 0;
    std::ifstream("/proc/" + process + "/task/" + process + "/children") >> child;
    return child;
  }
  /// Waits for its end.
  Outcome end() {
    int status = 0;
    EXPECT_TRUE(wait_until([&] { return is_gone(process_); })) << "it goes on";
    kill(process_, SIGKILL);
    waitpid(std::exchange(process_, 0), &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            without_package_warning(read_file(said_))};
  }

 private:
  const std::string said_;
  pid_t process_ = 0;
};

}  // namespace starpath::test
