// A stretch of work under the lock of a scheduling context.
#pragma once
#include <utility>
#include <vector>

#include "sched_policies/adapter/context_lock.hpp"
#include "sched_policies/adapter/context_workers.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// Holds the lock of a context from its beginning to its end. Then, when the lock is released, it wakes the workers
/// that the work found tasks for.
class STARPATH_SCOPED_CAPABILITY Turn {
 public:
  explicit Turn(StarpuMutex& mutex) STARPATH_ACQUIRE(context_lock) : lock_(mutex) {}
  ~Turn() STARPATH_RELEASE() = default;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// At the end of the turn. Once a turn.
  void wake(std::vector<int> workers) { woken_at_end_.workers = std::move(workers); }

 private:
  struct Wakes {
    std::vector<int> workers;
    ~Wakes() { wake_workers(workers); }
  };
  Wakes woken_at_end_;  // destroyed after the lock
  RelaxedLock lock_;
};

}  // namespace starpath
