// A fork, and what its end says.
#include "base/child_trial.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

namespace starpath {
namespace {

constexpr unsigned kSeconds = 30;

[[noreturn]] void be_the_child(const std::function<void()>& work, int message) {
  for (const int fatal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) ::signal(fatal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  ::alarm(kSeconds);
  try {
    work();
  } catch (const std::exception& error) {
    if (::write(message, error.what(), std::strlen(error.what())) < 0) ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

TrialEnd try_in_child(const std::function<void()>& work) {
  const int message = ::memfd_create("starpath-trial", MFD_CLOEXEC);
  if (message < 0) return {};
  TrialEnd end;
  const pid_t child = ::fork();
  if (child == 0) be_the_child(work, message);
  if (child > 0) {
    int status = 0;
    pid_t ended = 0;
    do ended = ::waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    end.crashed = ended == child && status != 0;
    end.error.resize(static_cast<std::size_t>(std::max<off_t>(::lseek(message, 0, SEEK_END), 0)));
    const ssize_t size = ::pread(message, end.error.data(), end.error.size(), 0);
    end.error.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
  ::close(message);
  return end;
}

}  // namespace starpath
