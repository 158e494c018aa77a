// How many tasks an accelerator should hold ahead: found by watching its throughput.
#pragma once

#include <algorithm>
#include <cstddef>

namespace starpath {

/// A window that grows in doubling steps from 2 while throughput rises. The first fall takes it back to what it was
/// before; from then on it moves by one, up on a rise and down on a fall. Never under 1, never over `limit`. No clock:
/// the caller gives times. Not thread-safe.
/// Source: anthill-2010 section 5.1, Algorithm 1. Its listing subtracts the step after doubling it, which would leave
/// less than there was; its text says "the previous configuration", and so do we.
class AdaptiveWindow {
 public:
  explicit AdaptiveWindow(std::size_t limit) : limit_(std::max<std::size_t>(limit, 1)) {
    size_ = std::min<std::size_t>(2, limit_);
  }

  std::size_t size() const { return size_; }

  /// A task ended at `now` (any unit, never going back). After as many tasks as the window held, their throughput is
  /// compared with the one before.
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

  /// The accelerator ran out of tasks: what it did until the next one is no measure of the window.
  void idle() { measuring_ = false; }

  /// One measured throughput. `finished` calls it; public for whoever measures otherwise.
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
