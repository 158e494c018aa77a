#include "loops/starpu/loop_end.hpp"

#include "base/error.hpp"

namespace starpath {

bool LoopEnd::try_hold() {
  std::size_t holds = holds_;
  do {
    if (holds == 0) return false;
  } while (!holds_.compare_exchange_weak(holds, holds + 1));
  return true;
}

void LoopEnd::release() {
  if (--holds_ > 0) return;
  // Under the lock: the waiter may destroy this as soon as it can take it.
  const std::lock_guard lock(mutex_);
  phase_ = Phase::over;
  changed_.notify_all();
}

void LoopEnd::fail(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (!failed_.exchange(true)) reason_ = reason;
  pieces_.close();
}

void LoopEnd::wait() {
  std::unique_lock lock(mutex_);
  if (phase_ == Phase::waited_for) throw Error(ErrorKind::usage, "loop: wait() was called before");
  changed_.wait(lock, [&] { return phase_ != Phase::running; });
  phase_ = Phase::waited_for;
}

}  // namespace starpath
