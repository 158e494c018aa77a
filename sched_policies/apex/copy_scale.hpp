// What copies take over what was estimated.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

namespace starpath {

/// The factor by which copies take longer than was estimated, as far as all recent measurements agree. Copies count as
/// longer if all of the last 8 took longer than estimated, and as shorter if all of the last 4 took less. The first
/// needs more measurements because a worker may have waited for something else than its copies. Before there are 8 or
/// 4, all measurements count, from the second on. Not thread-safe.
class CopyScale {
 public:
  /// A measured time over the estimated one, above 0: at least `least`, and at most `most`. Values beyond 1e-6 and 1e6
  /// count as these.
  void measured(double least, double most) {
    std::ranges::rotate(least_, least_.begin() + 1);
    std::ranges::rotate(most_, most_.begin() + 1);
    least_.back() = std::clamp(least, 1e-6, 1e6);
    most_.back() = std::clamp(std::max(least, most), 1e-6, 1e6);
    known_ = std::min(known_ + 1, kLonger);
    if (known_ < kFewest) return;
    value_ = std::clamp(1.0, *std::min_element(least_.end() - known_, least_.end()),
                        *std::max_element(most_.end() - std::min(known_, kShorter), most_.end()));
  }
  double value() const { return value_; }

 private:
  static constexpr std::ptrdiff_t kLonger = 8, kShorter = 4, kFewest = 2;
  std::array<double, kLonger> least_{}, most_{};  // the latest last
  std::ptrdiff_t known_ = 0;
  double value_ = 1;
};

}  // namespace starpath
