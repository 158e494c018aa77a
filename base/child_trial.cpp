// A fork, and what its end says.
#include "base/child_trial.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace starpath {
namespace {

constexpr unsigned kSeconds = 30;

[[noreturn]] void be_the_child(const std::function<void()>& work) {
  for (const int fatal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) ::signal(fatal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  ::alarm(kSeconds);
  try {
    work();
  } catch (...) {  // the caller gets it when it does the same
  }
  ::_exit(0);
}

}  // namespace

bool ends_by_itself(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child < 0) return true;
  if (child == 0) be_the_child(work);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return true;
  return status == 0;
}

}  // namespace starpath
