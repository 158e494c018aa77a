// Child processes with pipes and a deadline. Boost.Process is no better: `wait_for` of 1.74 and 1.83 crashes when two
// threads wait (boostorg/process#168), its header takes 9 s to compile instead of 1 s, and newer versions moved it.
// posix_spawn() cannot make a child end with its parent.
#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
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

/// When a child is not waited for any longer.
struct Limit {
  Clock::time_point deadline;
  const std::atomic<bool>* stop;

  bool stopped() const { return stop != nullptr && *stop; }
  bool reached() const { return stopped() || Clock::now() >= deadline; }
  int milliseconds() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 1000));
  }
};

/// Reads both pipes to their end or to the limit. False at the limit.
bool read_to_end(const Pipe& output, const Pipe& errors, const Limit& limit, ChildOutcome& outcome) {
  pollfd pipes[2] = {{output.reading(), POLLIN, 0}, {errors.reading(), POLLIN, 0}};
  std::string* texts[2] = {&outcome.output, &outcome.errors};
  char buffer[1 << 16];
  while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
    if (limit.reached()) return false;
    if (poll(pipes, 2, limit.milliseconds()) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (pipes[i].fd < 0 || pipes[i].revents == 0) continue;
      const ssize_t got = read(pipes[i].fd, buffer, sizeof buffer);
      if (got > 0) texts[i]->append(buffer, static_cast<std::size_t>(got));
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) pipes[i].fd = -1;
    }
  }
  return true;
}

/// The child's end. It may have closed its pipes and go on: the limit holds for that too.
bool wait_for_end(pid_t child, const Limit& limit, int& status) {
  while (true) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return true;
    if (limit.reached()) return false;
    poll(nullptr, 0, 1);
  }
}

/// What a child becomes. Only this and nothing that allocates: other threads' locks are copied as they were.
struct Program {
  char* const* arguments;
  char* const* variables;
  int output, errors;
  int failure;  // is told errno where it cannot be started
  pid_t parent;

  [[noreturn]] void become() const {
    end_with_parent(parent, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
        ::dup2(errors, STDERR_FILENO) >= 0) {
      if (nothing > STDERR_FILENO) ::close(nothing);
      ::execve(arguments[0], arguments, variables);
    }
    const int problem = errno;
    [[maybe_unused]] const ssize_t told = ::write(failure, &problem, sizeof problem);
    ::_exit(127);
  }
};

/// 0 once the child is another program, else why it is none.
int start_failure(const Pipe& failure) {
  int problem = 0;
  while (::read(failure.reading(), &problem, sizeof problem) < 0 && errno == EINTR) {
  }
  return problem;
}

void wait_for(pid_t child, int& status) {
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

pid_t start(std::vector<std::string>& command, const Environment& environment, const Pipe& output, const Pipe& errors) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : environment) entries.emplace_back(name).append("=").append(value);
  const auto arguments = pointers(command), variables = pointers(entries);
  Pipe failure;
  const Program program{arguments.data(), variables.data(),  output.writing(),
                        errors.writing(), failure.writing(), ::getpid()};
  const pid_t child = ::fork();
  if (child == 0) program.become();
  int problem = child < 0 ? errno : 0;
  failure.close_writing();
  if (child > 0 && (problem = start_failure(failure)) != 0) {
    int status = 0;
    wait_for(child, status);
  }
  if (problem != 0)
    throw Error(ErrorKind::runtime, fmt::format("cannot start {}: {}", command[0], std::strerror(problem)));
  return child;
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
                       std::chrono::milliseconds limit, const std::atomic<bool>* stop) {
  Pipe output, errors;
  const auto begin = Clock::now();
  const pid_t child = start(command, environment, output, errors);
  output.close_writing();
  errors.close_writing();
  ChildOutcome outcome;
  const Limit until{begin + limit, stop};
  if (!read_to_end(output, errors, until, outcome) || !wait_for_end(child, until, outcome.status)) {
    outcome.timed_out = !until.stopped();
    kill(child, SIGKILL);
    wait_for(child, outcome.status);
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

void end_with_parent(pid_t parent, int signal) noexcept {
  ::prctl(PR_SET_PDEATHSIG, signal);
  if (::getppid() != parent) ::_exit(127);  // it has ended before
}

}  // namespace starpath
