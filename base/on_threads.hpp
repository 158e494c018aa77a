// Work on several threads where StarPU does not run: after a run, and in commands that compute nothing.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace starpath {

/// How many threads several calls of on_threads() have together, nested in each other or side by side. Thread-safe.
class ThreadBudget {
 public:
  /// The thread that makes it is one of them, so there is at least one.
  explicit ThreadBudget(int threads) : all_(std::max(threads, 1)), spare_(all_ - 1) {}

  int all() const { return all_; }
  /// Takes up to `most` threads that have no work. The caller gives them back.
  int take(std::size_t most) {
    const std::lock_guard lock(mutex_);
    const auto taken = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(spare_, 0)), most));
    spare_ -= taken;
    return taken;
  }
  void give_back(int threads) {
    const std::lock_guard lock(mutex_);
    spare_ += threads;
  }

 private:
  const int all_;
  std::mutex mutex_;
  int spare_;
};

/// Calls body(i, thread) for 0 <= i < count, in any order, on the caller's thread and on the threads that `budget` can
/// spare now. `thread` is the number of the thread, from 0. Returns when all calls have returned. After an exception no
/// further call begins, and the first exception is thrown.
template <class Body>
void on_threads(ThreadBudget& budget, std::size_t count, const Body& body) {
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
    budget.give_back(1);  // to what the others call, while the caller waits for them
  };
  {
    std::vector<std::jthread> helpers;
    const int others = budget.take(count - std::min<std::size_t>(count, 1));
    for (int i = 1; i <= others; ++i) helpers.emplace_back(work, i);
    work(0);
  }
  budget.give_back(-1);  // the caller works again
  if (failure) std::rethrow_exception(failure);
}

/// The same for calls that stand for themselves, as those that write one file each: all are made, also after an
/// exception. Then the exception of the smallest i is thrown.
template <class Body>
void each_on_threads(ThreadBudget& budget, std::size_t count, const Body& body) {
  std::vector<std::exception_ptr> failures(count);
  on_threads(budget, count, [&](std::size_t i, int thread) {
    try {
      body(i, thread);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace starpath
