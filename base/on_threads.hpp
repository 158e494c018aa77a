// Work on several threads where StarPU does not run: after a run, and in commands that compute nothing.
#pragma once
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace starpath {

/// Cores that the calling thread may run on; 1 where the system does not say.
inline int allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

/// Calls body(i, thread) for 0 <= i < count, in any order, on up to `threads` threads, of which the caller's is one;
/// `thread` counts them from 0. Waits for all. After an exception nothing more is begun, and the first one is thrown.
template <class Body>
void on_threads(int threads, std::size_t count, const Body& body) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&](int thread) {
    try {
      for (std::size_t i = next++; i < count; i = next++) body(i, thread);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const auto others = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), count);
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < others; ++i) helpers.emplace_back(work, static_cast<int>(i));
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace starpath
