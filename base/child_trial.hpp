// Calls of libraries that may crash on damaged input, tried first where a crash costs nothing.
#pragma once
#include <functional>
#include <string>

namespace starpath {

/// How a call ended in a child: by itself, with an exception's message, or otherwise (`crashed`).
struct TrialEnd {
  bool crashed = false;
  std::string error;  // empty without an exception
};

/// Runs `work` in a child, which fork() makes. Changes of memory and lines on standard error are lost, and a crash ends
/// only the child. The end is `crashed` when the child did not end by itself within 30 s. `work` must take no lock that
/// another thread may hold. When no child can be made, nothing runs, and the end is that of work that went well.
TrialEnd try_in_child(const std::function<void()>& work);

}  // namespace starpath
