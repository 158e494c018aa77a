// A thread that writes to a disk for others, who do not wait for it.
#pragma once
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace starpath {

/// Hands what was pushed to `write`, in order and in batches: all that waits, at once. After `write` has thrown,
/// nothing is written any more. Thread-safe.
template <class Item>
class BatchWriter {
 public:
  using Write = std::function<void(std::vector<Item>)>;
  using OnFailure = std::function<void(std::exception_ptr)>;

  /// Both functions are called on the writer's thread. `on_failure` gets what `write` has thrown; without it, push()
  /// and flush() throw that.
  explicit BatchWriter(Write write, OnFailure on_failure = nullptr)
      : write_(std::move(write)), on_failure_(std::move(on_failure)), thread_([this] { work(); }) {}
  /// Writes what waits.
  ~BatchWriter() {
    change([&] { ending_ = true; });
    thread_.join();
  }
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  void push(Item item) {
    change([&] {
      if (failure_ && !on_failure_) std::rethrow_exception(failure_);
      waiting_.push_back(std::move(item));
    });
  }
  /// Waits until all is written.
  void flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || (waiting_.empty() && !writing_); });
    if (failure_ && !on_failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Change>
  void change(const Change& what) {
    {
      const std::lock_guard lock(mutex_);
      what();
    }
    changed_.notify_all();
  }

  /// Waits for items; there are none at the end.
  std::vector<Item> next_batch() {
    std::unique_lock lock(mutex_);
    writing_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    writing_ = !waiting_.empty();
    return std::exchange(waiting_, {});
  }

  void work() {
    try {
      for (auto batch = next_batch(); !batch.empty(); batch = next_batch()) write_(std::move(batch));
    } catch (...) {
      change([&] { failure_ = std::current_exception(); });
      if (on_failure_) on_failure_(failure_);
    }
  }

  const Write write_;
  const OnFailure on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> waiting_;
  bool writing_ = false, ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace starpath
