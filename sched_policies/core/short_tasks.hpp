// Whether tasks are so short that to plan them costs more than it can gain.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Follows how long tasks run: those of each codelet, and all together. A task is short if tasks of its codelet ran for
/// less than 50 us on average lately, and so did all tasks. Above 100 us they are long again; in between they are what
/// they were. Both have to be short, because a short task among long ones may be what the long ones wait for. What was
/// not run yet is not short.
///
/// Why 50 us: to plan a task took 1.4 to 2.4 us of processor time (bench/results/policies.md), and should take at most
/// a twentieth of the task.
///
/// `of` may be called by any thread at any time, `ran` for one worker by one thread at a time.
class ShortTasks {
 public:
  static constexpr double kShort = 50e-6;  ///< seconds
  static constexpr double kLong = 100e-6;

  explicit ShortTasks(std::size_t workers) : ended_(std::make_unique<Ended[]>(workers)) {}

  /// Whether a task of the codelet is short. `codelet`: any address that stands for it.
  bool of(const void* codelet) const {
    if (!all_.is_short.load(std::memory_order_relaxed)) return false;
    const Lengths& one = table_[place_of(codelet)];
    return one.codelet.load(std::memory_order_relaxed) == codelet && one.is_short.load(std::memory_order_relaxed);
  }

  /// A task of the codelet ran so many seconds on `worker`. Every fourth one of a worker counts.
  void ran(WorkerId worker, const void* codelet, double seconds) {
    if (ended_[worker].count++ % kCounted != 0) return;
    all_.add(seconds);
    Lengths& one = table_[place_of(codelet)];
    if (one.codelet.load(std::memory_order_relaxed) != codelet) {  // the one that was there is forgotten
      one.codelet.store(codelet, std::memory_order_relaxed);
      one.mean.store(-1, std::memory_order_relaxed);
      one.is_short.store(false, std::memory_order_relaxed);
    }
    one.add(seconds);
  }

 private:
  static constexpr unsigned kCounted = 4;
  static constexpr std::size_t kCodelets = 64;  // at once; two in one place forget each other
  static constexpr double kMost = 4 * kLong;    // what a task counts at most: one that was interrupted changes nothing
  static constexpr double kWeight = 0.125;      // of the last task in the mean

  /// Threads that add at once may lose a length, which does no harm.
  struct alignas(64) Lengths {
    std::atomic<const void*> codelet = nullptr;
    std::atomic<double> mean = -1;  // seconds; below 0: of nothing
    std::atomic<bool> is_short = false;

    void add(double seconds) {
      const double counted = seconds < kMost ? seconds : kMost;
      const double before = mean.load(std::memory_order_relaxed);
      const double after = before < 0 ? counted : before + kWeight * (counted - before);
      mean.store(after, std::memory_order_relaxed);
      const bool was_short = is_short.load(std::memory_order_relaxed);
      if (const bool now_short = was_short ? after <= kLong : after < kShort; now_short != was_short)
        is_short.store(now_short, std::memory_order_relaxed);
    }
  };
  struct alignas(64) Ended {
    unsigned count = 0;
  };

  static std::size_t place_of(const void* codelet) {
    return (reinterpret_cast<std::uintptr_t>(codelet) * 0x9E3779B97F4A7C15U) >> 58;
  }

  Lengths all_;
  std::array<Lengths, kCodelets> table_;
  const std::unique_ptr<Ended[]> ended_;  // by worker
};

}  // namespace starpath
