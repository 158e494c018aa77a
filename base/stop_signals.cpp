// The handler, which calls only what a handler may.
#include "base/stop_signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/error.hpp"
#include "base/output_file.hpp"
#include "base/unfinished_file.hpp"

namespace starpath {
namespace {

constexpr std::array kStopSignals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<pid_t> command_process{0};
std::atomic<int> standard_error{STDERR_FILENO};  // as it was at first: the start of StarPU is heard elsewhere
std::atomic<bool> ends_by_itself{false}, stop_requested{false}, ending{false};
std::atomic<std::time_t> first_request{0};

const char* line_of(int signal) {
  switch (signal) {
    case SIGINT:
      return "starpath: interrupted by SIGINT (Ctrl-C); files that were not finished are removed\n";
    case SIGTERM:
      return "starpath: interrupted by SIGTERM; files that were not finished are removed\n";
    default:
      return "starpath: interrupted by SIGHUP; files that were not finished are removed\n";
  }
}

void end_now(int signal) {
  if (::getpid() != command_process) ::_exit(kExitInterrupted);  // a fork, whose files are the command's
  if (ending.exchange(true)) return;                             // another thread is at it
  remove_unfinished_files();
  const char* line = line_of(signal);
  [[maybe_unused]] const ssize_t said = ::write(standard_error, line, std::strlen(line));
  ::_exit(kExitInterrupted);
}

// A shell or `timeout` may deliver one request twice.
void on_signal(int signal) {
  if (!ends_by_itself) return end_now(signal);
  const std::time_t now = std::time(nullptr);
  if (!stop_requested.exchange(true)) first_request = now;
  stop_waiting_for_readers();
  if (now - first_request > 1) end_now(signal);
}

}  // namespace

void end_at_stop_signals(bool hang_up_is_ignored) {
  command_process = ::getpid();
  if (const int copy = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); copy >= 0) standard_error = copy;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : kStopSignals) ::sigaddset(&action.sa_mask, signal);
  for (const int signal : kStopSignals) ::sigaction(signal, &action, nullptr);
  if (hang_up_is_ignored) ::signal(SIGHUP, SIG_IGN);
}

const std::atomic<bool>& catch_stop_signals() {
  ends_by_itself = true;
  return stop_requested;
}

}  // namespace starpath
