// What copies take over what was estimated.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

namespace starpath {

/// Estimates of copies are corrected as far as all recent measurements agree: they are longer if the last 8 took longer
/// than estimated, and shorter if the last 4 did. More are asked for the first: a worker may have waited for something
/// else, but no copy takes less than it takes. At first the estimate counts as 8 measurements. Not thread-safe.
class CopyScale {
 public:
  CopyScale() { ratios_.fill(1); }

  /// What was measured over what was estimated, above 0; as 1e-6 to 1e6 at most.
  void measured(double ratio) {
    std::ranges::rotate(ratios_, ratios_.begin() + 1);
    ratios_.back() = std::clamp(ratio, 1e-6, 1e6);
    value_ =
        std::clamp(1.0, *std::ranges::min_element(ratios_), *std::max_element(ratios_.end() - kShorter, ratios_.end()));
  }
  double value() const { return value_; }

 private:
  static constexpr std::ptrdiff_t kShorter = 4;
  std::array<double, 8> ratios_;  // the latest last
  double value_ = 1;
};

}  // namespace starpath
