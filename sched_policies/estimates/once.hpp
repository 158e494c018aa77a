// A line for the user that is said once in a run, however often there is reason to.
#pragma once
#include <atomic>

#include "estimator/store/profile_use.hpp"

namespace starpath {

/// Thread-safe.
class Once {
 public:
  /// Reports what `line()` returns, unless something was said before.
  template <class Line>
  void say(const ProfileUse::Report& report, Line line) {
    if (!said_.load(std::memory_order_relaxed) && !said_.exchange(true)) report(line());
  }

 private:
  std::atomic<bool> said_ = false;
};

}  // namespace starpath
