// How many tasks an accelerator should hold ahead: found by watching its throughput.
#pragma once
#include <algorithm>
#include <cstddef>

namespace starpath {

/// A window that grows in doubling steps from 2 while throughput rises. The first fall takes back the last step. From
/// then on the window moves by one, up on a rise and down on a fall. It stays between 1 and `limit`. No clock: the
/// caller gives times. Not thread-safe.
/// Source: anthill-2010 section 5.1, Algorithm 1. Its listing subtracts the step after doubling it, which would make
/// the window smaller than before the step. Its text says "the previous configuration", and so do we.
class AdaptiveWindow {
 public:
  explicit AdaptiveWindow(std::size_t limit) : limit_(std::max<std::size_t>(limit, 1)) {
    size_ = std::min<std::size_t>(2, limit_);
  }

  std::size_t size() const { return size_; }

  /// A task ended at `now` (any unit, never decreasing). After as many tasks as the window held, their throughput is
  /// compared with the previous one.
  void finished(double now) {
    if (!measuring_) {  // this task's start is not known
      measuring_ = true;
      begin_ = now;
      done_ = 0;
      return;
    }
    if (++done_ < size_ || now <= begin_) return;
    observe(static_cast<double>(done_) / (now - begin_));
    begin_ = now;
    done_ = 0;
  }

  /// The accelerator ran out of tasks: the time until the next one says nothing about the window.
  void idle() { measuring_ = false; }

  /// One measured throughput. `finished` calls it; public for callers that measure otherwise.
  void observe(double throughput) {
    if (throughput > last_) {
      size_ = std::min(size_ + step_, limit_);
      grown_by_ = step_;
      if (doubling_) step_ *= 2;
    } else if (throughput < last_) {
      const std::size_t back = doubling_ ? grown_by_ : 1;
      size_ = size_ > back ? size_ - back : 1;
      doubling_ = false;
      step_ = 1;
    }
    last_ = throughput;
  }

 private:
  std::size_t limit_;
  std::size_t size_ = 2;
  std::size_t step_ = 2;
  std::size_t grown_by_ = 0;
  bool doubling_ = true;
  double last_ = 0;
  bool measuring_ = false;
  double begin_ = 0;
  std::size_t done_ = 0;
};

}  // namespace starpath
