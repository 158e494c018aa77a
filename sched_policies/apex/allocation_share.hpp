// How much of the main memory that tasks were expected to allocate was allocated.
#pragma once
#include <algorithm>
#include <optional>

namespace starpath {

/// Who allocates main memory may get what others have freed, which takes no time, and nobody tells before. So the share
/// that was allocated is measured on the last tasks for which it was expected. At first it is all. Memory is given as
/// the seconds that it takes to allocate it. Not thread-safe.
class AllocationShare {
 public:
  /// All of it that is allocated now. What tasks allocated can be told only once they have ended.
  void allocated(double seconds) {
    if (!before_) before_ = seconds;
    if (tasks_ < kTasks) return;
    value_ = std::clamp((seconds - *before_) / expected_, 0.0, 1.0);
    before_ = seconds;
    expected_ = 0;
    tasks_ = 0;
  }

  /// A task ended that was expected to allocate so much.
  void expected(double seconds) {
    if (seconds <= 0) return;
    expected_ += seconds;
    ++tasks_;
  }

  double value() const { return value_; }

 private:
  static constexpr int kTasks = 8;  // 4 or 16 are as good: bench/results/apex.md, section 25

  std::optional<double> before_;  // allocated when the share was measured last
  double expected_ = 0;           // since then
  int tasks_ = 0;                 // of `expected_`
  double value_ = 1;
};

}  // namespace starpath
