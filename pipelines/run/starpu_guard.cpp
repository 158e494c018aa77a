// Redirects standard error into memory, and has handlers that read it. They call only functions that a signal handler
// may call.
#include "pipelines/run/starpu_guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "base/thread_limit.hpp"
#include "pipelines/run/starpu_lines.hpp"

namespace starpath {
namespace {

constexpr std::array kFatal = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr const char* kAdvice = "check the STARPU_ and HWLOC_ variables of the environment";

/// Of the one guard that lives; `captured` is -1 when there is none.
struct Guarded {
  std::atomic<int> captured = -1;
  int terminal = -1;  // where standard error led before
  const char* doing = "";
  std::array<void (*)(int), kFatal.size()> handlers{};
};

Guarded guarded;

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// A line of a stack trace ends in an address in brackets: "(+0x502f2)[0x7f755c2502f2]".
bool says_something(std::string_view line) {
  const bool is_frame = line.ends_with(']') && line.find("[0x") != std::string_view::npos;
  return line.find_first_not_of(" \t") != std::string_view::npos && !is_frame;
}

/// The first line that says something. A warning is no reason as long as there is another line.
std::string_view reason_in(std::string_view text) {
  std::string_view warning = "it gives no reason";
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!says_something(line)) continue;
    if (!is_starpu_warning(line)) return starpu_message(line);
    warning = starpu_message(line);
  }
  return warning;
}

void end_in_one_line() {
  const int captured = guarded.captured.exchange(-1);
  if (captured < 0) return;
  static std::array<char, 1 << 16> text;
  const ssize_t size = ::pread(captured, text.data(), text.size(), 0);
  write_all(guarded.terminal, "starpath: StarPU ");
  write_all(guarded.terminal, guarded.doing);
  write_all(guarded.terminal, ": ");
  const std::string_view reason = reason_in({text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))});
  const bool lacks_threads = reason.find("pthread_create") != std::string_view::npos;
  write_all(guarded.terminal, reason);
  write_all(guarded.terminal, "; ");
  write_all(guarded.terminal, lacks_threads ? kThreadLimitAdvice : kAdvice);
  write_all(guarded.terminal, "\n");
  ::_exit(static_cast<int>(ErrorKind::runtime));
}

void on_fatal_signal(int signal) {
  end_in_one_line();
  // Another thread is at it, or the guard has just gone.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

StarpuGuard::StarpuGuard(const char* doing) {
  static const bool at_exit = std::atexit(end_in_one_line) == 0;  // FxT calls exit()
  const int captured = at_exit ? ::memfd_create("starpath-stderr", MFD_CLOEXEC) : -1;
  if (captured < 0) return;
  guarded.terminal = ::dup(STDERR_FILENO);
  if (guarded.terminal < 0 || ::dup2(captured, STDERR_FILENO) < 0) {
    ::close(captured);
    return;
  }
  guarded.doing = doing;
  guarded.captured = captured;
  for (std::size_t i = 0; i < kFatal.size(); ++i) guarded.handlers[i] = std::signal(kFatal[i], on_fatal_signal);
}

StarpuGuard::~StarpuGuard() {
  const int captured = guarded.captured.exchange(-1);
  if (captured < 0) return;
  for (std::size_t i = 0; i < kFatal.size(); ++i) std::signal(kFatal[i], guarded.handlers[i]);
  ::dup2(guarded.terminal, STDERR_FILENO);
  std::array<char, 4096> text{};
  off_t at = 0;
  for (ssize_t size = 0; (size = ::pread(captured, text.data(), text.size(), at)) > 0; at += size)
    write_all(STDERR_FILENO, {text.data(), static_cast<std::size_t>(size)});
  ::close(guarded.terminal);
  ::close(captured);
}

}  // namespace starpath
