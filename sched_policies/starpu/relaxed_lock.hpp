// RAII locks on StarPU's mutex type. A std::mutex would stop the whole simulation under SimGrid.
#pragma once
#include <starpu.h>

#include "base/pure/thread_safety.hpp"

namespace starpath {

/// A StarPU mutex that lives as long as the process: it needs no code to come up, and nothing destroys it.
struct STARPATH_CAPABILITY("mutex") ProcessMutex {
  starpu_pthread_mutex_t handle = STARPU_PTHREAD_MUTEX_INITIALIZER;
  void is_held() const STARPATH_ASSERT_HELD(this) {}
};

/// A StarPU mutex with a lifetime. It has a cache line of its own: what lies beside it may be read without it, and
/// would be fetched anew after every lock of another worker.
class alignas(64) StarpuMutex : public ProcessMutex {
 public:
  StarpuMutex() { starpu_pthread_mutex_init(&handle, nullptr); }
  ~StarpuMutex() { starpu_pthread_mutex_destroy(&handle); }
  StarpuMutex(const StarpuMutex&) = delete;
  StarpuMutex& operator=(const StarpuMutex&) = delete;
};

/// Holds a mutex. While it waits, the calling worker is "relaxed", so that others may look into its state. Without
/// this, two workers that wait for each other's state stop for ever. Works on threads that are no workers too.
/// It tries for some ten microseconds, less and less often, before it waits. What these mutexes guard takes less time
/// than to relax, or than to sleep and be woken.
class STARPATH_SCOPED_CAPABILITY RelaxedLock {
 public:
  explicit RelaxedLock(ProcessMutex& mutex) STARPATH_ACQUIRE(mutex) : mutex_(mutex.handle) {
    if (tries()) return;
    starpu_worker_relax_on();
    STARPU_PTHREAD_MUTEX_LOCK(&mutex_);
    starpu_worker_relax_off();
  }
  ~RelaxedLock() STARPATH_RELEASE() { STARPU_PTHREAD_MUTEX_UNLOCK(&mutex_); }
  RelaxedLock(const RelaxedLock&) = delete;
  RelaxedLock& operator=(const RelaxedLock&) = delete;

 private:
  /// Leaves the core to its other hardware thread for some cycles.
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
  }
  bool tries() {
#ifndef STARPU_SIMGRID  // where time stands still meanwhile
    constexpr int longest = 32;
    for (int pauses = 1; pauses <= longest; ++pauses) {
      if (STARPU_PTHREAD_MUTEX_TRYLOCK(&mutex_) == 0) return true;
      for (int i = 0; i < pauses; ++i) pause();
    }
#endif
    return false;
  }

  starpu_pthread_mutex_t& mutex_;
};

}  // namespace starpath
