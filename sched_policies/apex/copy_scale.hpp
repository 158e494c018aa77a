// What copies take over what was estimated.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

namespace starpath {

/// Estimates of copies are corrected as far as all recent measurements agree: they are longer if the last 8 took longer
/// than estimated, and shorter if the last 4 did. More are asked for the first: a worker may have waited for something
/// else, but no copy takes less than it takes. Until there are so many, all count, from the second on. Not thread-safe.
class CopyScale {
 public:
  /// What was measured over what was estimated, above 0; as 1e-6 to 1e6 at most.
  void measured(double ratio) {
    std::ranges::rotate(ratios_, ratios_.begin() + 1);
    ratios_.back() = std::clamp(ratio, 1e-6, 1e6);
    known_ = std::min(known_ + 1, kLonger);
    if (known_ < kFewest) return;
    value_ = std::clamp(1.0, *std::min_element(ratios_.end() - known_, ratios_.end()),
                        *std::max_element(ratios_.end() - std::min(known_, kShorter), ratios_.end()));
  }
  double value() const { return value_; }

 private:
  static constexpr std::ptrdiff_t kLonger = 8, kShorter = 4, kFewest = 2;
  std::array<double, kLonger> ratios_{};  // the latest last
  std::ptrdiff_t known_ = 0;
  double value_ = 1;
};

}  // namespace starpath
