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

int haematoxylin_level(const StainAmountCounts& amounts, int nucleus_level) {
  std::array<std::int64_t, kAmountSteps> above{};
  for (std::size_t d = 0; d < amounts.size(); ++d)
    if (static_cast<int>(d) * kDifferenceStep > nucleus_level)
      for (std::size_t i = 0; i < above.size(); ++i) above[i] += amounts[d][i];
  const int split = split_in_two(above).level;
  std::array<std::int64_t, 2> pixels{}, sum{};
  for (std::size_t i = 0; i < above.size(); ++i) {
    const std::size_t upper = static_cast<int>(i) > split ? 1 : 0;
    pixels[upper] += above[i];
    sum[upper] += above[i] * (2 * static_cast<std::int64_t>(i) + 1);
  }
  if (20 * std::min(pixels[0], pixels[1]) < pixels[0] + pixels[1]) return 0;
  const double lower = static_cast<double>(sum[0]) * static_cast<double>(pixels[1]);
  return 2 * lower < static_cast<double>(sum[1]) * static_cast<double>(pixels[0]) ? (split + 1) * kAmountStep / 2 : 0;
}

Levels levels_of(const Split& split) { return {split.level, (7 * split.level + 5) / 10, 0}; }

}  // namespace starpath
