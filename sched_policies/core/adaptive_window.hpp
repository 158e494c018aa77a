// How many tasks an accelerator should hold ahead: found by watching its throughput.
#pragma once
#include <algorithm>
#include <cstddef>

namespace starpath {

/// A window that grows in doubling steps from 2 while throughput rises. The first fall takes back the last growth: as
/// much of the last step as the limit allowed. From then on the window moves by one, up on a rise and down on a fall. A
/// fall changes nothing while the window is 2 or less. The window stays between 1 and `limit`. Where a larger window
/// would be faster, a fall that is noise starts others, down to 2, and then the window grows again. No clock: the
/// caller gives times. Not thread-safe. Source: anthill-2010 section 5.1, Algorithm 1. Where the listing and the text
/// beside it differ, the text counts. The listing subtracts the step after doubling it, which would make the window
/// smaller than before the step; the text says "the previous configuration". The listing halves the step at each fall;
/// the text says changes by one.
class AdaptiveWindow {
 public:
  explicit AdaptiveWindow(std::size_t limit) : limit_(std::max<std::size_t>(limit, 1)) {
    size_ = previous_ = std::min(kFirst, limit_);
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
      previous_ = size_;
      size_ = std::min(size_ + step_, limit_);
      if (doubling_) step_ = size_;
    } else if (throughput < last_ && size_ > kFirst) {
      size_ = doubling_ ? previous_ : size_ - 1;
      doubling_ = false;
      step_ = 1;
    }
    last_ = throughput;
  }

 private:
  static constexpr std::size_t kFirst = 2;

  std::size_t limit_;
  std::size_t size_ = kFirst;
  std::size_t previous_ = kFirst;  // the size before the last rise
  std::size_t step_ = kFirst;
  bool doubling_ = true;
  double last_ = 0;
  bool measuring_ = false;
  double begin_ = 0;
  std::size_t done_ = 0;
};

}  // namespace starpath
