// Child processes with pipes and a deadline. Boost.Process is no better: `wait_for` of 1.74 and 1.83 crashes when two
// threads wait (boostorg/process#168), its header takes 9 s to compile instead of 1 s, and newer versions moved it.
#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace starpath {
namespace {

using Clock = std::chrono::steady_clock;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0)
      throw Error(ErrorKind::runtime, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  }
  ~Pipe() {
    close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Reads both pipes to their end or to the deadline. False at the deadline.
bool read_to_end(const Pipe& output, const Pipe& errors, Clock::time_point deadline, ChildOutcome& outcome) {
  pollfd pipes[2] = {{output.reading(), POLLIN, 0}, {errors.reading(), POLLIN, 0}};
  std::string* texts[2] = {&outcome.output, &outcome.errors};
  char buffer[1 << 16];
  while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    if (poll(pipes, 2, static_cast<int>(std::min<long long>(left, 1000))) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (pipes[i].fd < 0 || pipes[i].revents == 0) continue;
      const ssize_t got = read(pipes[i].fd, buffer, sizeof buffer);
      if (got > 0) texts[i]->append(buffer, static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) pipes[i].fd = -1;
    }
  }
  return true;
}

/// The child's end. It may have closed its pipes and go on: the deadline holds for that too.
bool wait_for_end(pid_t child, Clock::time_point deadline, int& status) {
  while (true) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return true;
    if (Clock::now() > deadline) return false;
    poll(nullptr, 0, 1);
  }
}

}  // namespace

Environment current_environment() {
  Environment environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const auto equals = text.find('=');
    if (equals != std::string::npos) environment[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return environment;
}

std::string ChildOutcome::failure() const {
  if (timed_out) return fmt::format("took longer than {:.3g} s", seconds);
  if (WIFSIGNALED(status))
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) return fmt::format("exit status {}", WEXITSTATUS(status));
  return "";
}

ChildOutcome run_child(std::vector<std::string> command, const Environment& environment,
                       std::chrono::milliseconds limit) {
  Pipe output, errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.writing(), STDERR_FILENO);
  std::vector<std::string> entries;
  for (const auto& [name, value] : environment) entries.emplace_back(name).append("=").append(value);
  const auto arguments = pointers(command), variables = pointers(entries);
  const auto begin = Clock::now();
  pid_t child = 0;
  const int problem = posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0)
    throw Error(ErrorKind::runtime, fmt::format("cannot start {}: {}", command[0], std::strerror(problem)));
  output.close_writing();
  errors.close_writing();
  ChildOutcome outcome;
  const auto deadline = begin + limit;
  if (!read_to_end(output, errors, deadline, outcome) || !wait_for_end(child, deadline, outcome.status)) {
    outcome.timed_out = true;
    kill(child, SIGKILL);
    while (waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) {
    }
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

}  // namespace starpath
