// Runs a program to its end, or to a limit of time.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace starpath {

using Environment = std::map<std::string, std::string>;

/// This process's environment.
Environment current_environment();

struct ChildOutcome {
  std::string output, errors;  ///< what it wrote to standard output and standard error
  int status = 0;              ///< as waitpid gives it
  bool timed_out = false;      ///< it was killed at the limit
  double seconds = 0;          ///< from its start to its end

  /// "" when it ended with exit status 0; else why not: "took longer than ...", "killed by signal 11", "exit status 2".
  std::string failure() const;
};

/// Runs `command` (a program's path and its arguments) with `environment` and no standard input, and waits for its end.
/// Kills it when it takes longer than `limit`, or once `stop` is true. The system kills it when this process ends,
/// however that does. Threads may run several at once. Throws Error{runtime} when it cannot be started.
ChildOutcome run_child(std::vector<std::string> command, const Environment& environment,
                       std::chrono::milliseconds limit, const std::atomic<bool>* stop = nullptr);

/// For a child between fork and exec: the system sends it `signal` when the thread that forked it ends. `parent` is the
/// process of that thread. Calls only what a signal handler may.
void end_with_parent(pid_t parent, int signal) noexcept;

}  // namespace starpath
