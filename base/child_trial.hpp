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

/// Runs `work` in a child, a copy of this process made by fork(): what it changes in memory is lost, what it prints to
/// standard error too, and only the child dies of a crash. `crashed` where it did not end by itself within 30 s. `work`
/// takes no lock that another thread may hold. Where there can be no child nothing runs, as if `work` had ended well.
TrialEnd try_in_child(const std::function<void()>& work);

}  // namespace starpath
