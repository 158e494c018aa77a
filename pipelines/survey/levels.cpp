// Otsu's level.
#include "pipelines/survey/levels.hpp"

#include <algorithm>

namespace starpath {

Split split_in_two(std::span<const std::int64_t> histogram) {
  std::int64_t n = 0, sum = 0, squares = 0;
  for (std::size_t v = 0; v < histogram.size(); ++v) {
    const auto value = static_cast<std::int64_t>(v);
    n += histogram[v];
    sum += value * histogram[v];
    squares += value * value * histogram[v];
  }
  Split best;
  double most = 0;
  std::int64_t below = 0, sum_below = 0;
  for (std::size_t v = 0; v < histogram.size(); ++v) {
    below += histogram[v];
    sum_below += static_cast<std::int64_t>(v) * histogram[v];
    if (below == 0 || below == n) continue;
    const auto lower = static_cast<double>(below), upper = static_cast<double>(n - below);
    const double apart = static_cast<double>(sum_below) / lower - static_cast<double>(sum - sum_below) / upper;
    const double between = lower * upper * apart * apart;
    if (!(between > most)) continue;
    most = between;
    best.level = static_cast<int>(v);
  }
  // n^2 times the variance of all.
  const double whole =
      static_cast<double>(n) * static_cast<double>(squares) - static_cast<double>(sum) * static_cast<double>(sum);
  if (most > 0 && whole > 0) best.separation = std::min(100, static_cast<int>(100 * most / whole));
  return best;
}

Levels levels_of(const Split& split) { return {split.level, (7 * split.level + 5) / 10}; }

}  // namespace starpath
