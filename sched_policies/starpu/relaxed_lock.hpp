// RAII locks on StarPU's mutex type. A std::mutex would stop the whole simulation under SimGrid.
#pragma once

#include <starpu.h>

namespace starpath {

/// Holds a mutex. While it waits, the calling worker is "relaxed", so that others may look into its state: without
/// this, two workers that wait for each other's state stop for ever. Works on threads that are no workers too.
class RelaxedLock {
 public:
  explicit RelaxedLock(starpu_pthread_mutex_t& mutex) : mutex_(mutex) {
    starpu_worker_relax_on();
    STARPU_PTHREAD_MUTEX_LOCK(&mutex_);
    starpu_worker_relax_off();
  }
  ~RelaxedLock() { STARPU_PTHREAD_MUTEX_UNLOCK(&mutex_); }
  RelaxedLock(const RelaxedLock&) = delete;
  RelaxedLock& operator=(const RelaxedLock&) = delete;

 private:
  starpu_pthread_mutex_t& mutex_;
};

/// A StarPU mutex with a lifetime.
class StarpuMutex {
 public:
  StarpuMutex() { starpu_pthread_mutex_init(&mutex_, nullptr); }
  ~StarpuMutex() { starpu_pthread_mutex_destroy(&mutex_); }
  StarpuMutex(const StarpuMutex&) = delete;
  StarpuMutex& operator=(const StarpuMutex&) = delete;
  starpu_pthread_mutex_t& get() { return mutex_; }

 private:
  starpu_pthread_mutex_t mutex_;
};

}  // namespace starpath
