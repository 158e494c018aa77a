// Rows run in groups, and each row is one column behind the row above it. The elements of such a slant do not need each
// other, so their waiting times overlap.
#include "codelets/benchmarks/wavefronts.hpp"

#include <algorithm>
#include <array>

namespace starpath::cpu {
namespace {

constexpr int kLanes = 8;
template <class T>
using Lanes = std::array<T, kLanes>;

/// Calls cell(lane, x, above, diagonal, left) for every element of `out`, after the elements that it needs; it answers
/// the new value. over(x) is the value over column x of the first row, from -1; before(y) is the value before row y.
template <class T, class Over, class Before, class Group>
void run_slanted(View<T> out, Over over, Before before, Group group) {
  for (int top = 0; top < out.height; top += kLanes) {
    const int rows = std::min(kLanes, out.height - top);
    const auto cell = group(top);
    Lanes<T*> to{};
    Lanes<T> left{}, above{}, diagonal{};
    for (int k = 0; k < rows; ++k) {
      to[k] = out.row(top + k);
      left[k] = before(top + k);
      diagonal[k] = top + k > 0 ? before(top + k - 1) : over(-1);
    }
    const T* row_above = top > 0 ? out.row(top - 1) : nullptr;
    const auto at = [&](int k, int x) {
      above[k] = k > 0 ? to[k - 1][x] : row_above ? row_above[x] : over(x);
      const T value = cell(k, x, above[k], diagonal[k], left[k]);
      diagonal[k] = above[k];
      to[k][x] = left[k] = value;
    };
    const int steps = out.width + rows - 1;
    const auto step = [&](int s) {
      for (int k = 0; k < rows; ++k)
        if (s - k >= 0 && s - k < out.width) at(k, s - k);
    };
    int s = 0;
    for (; s < std::min(kLanes - 1, steps); ++s) step(s);
    if (rows == kLanes)
      for (; s < out.width; ++s)
        for (int k = kLanes - 1; k >= 0; --k) at(k, s - k);
    for (; s < steps; ++s) step(s);
  }
}

}  // namespace

void heat_step(const KernelContext&, const HeatTile& tile) {
  const float* const over = tile.above.row(0);
  run_slanted(
      tile.now, [=](int x) { return x < 0 ? 0.0F : over[x]; }, [&](int y) { return tile.left.at(0, y); },
      [&](int top) {
        Lanes<const float*> from{}, below{};
        for (int k = 0; k < kLanes; ++k) {
          from[static_cast<std::size_t>(k)] = tile.before.row(std::min(top + k, tile.now.height - 1)) + 1;
          below[static_cast<std::size_t>(k)] = tile.before.row(std::min(top + k, tile.now.height - 1) + 1);
        }
        return [=](std::size_t k, int x, float above, float, float left) {
          return detail::heat(from[k][x], below[k][x], above, left);
        };
      });
}

void match_strings(const KernelContext&, const MatchTile& tile) {
  const std::int32_t* const over = tile.above.row(0) + 1;
  const std::uint8_t* const across = tile.across.data();
  const std::int32_t match = tile.match, mismatch = tile.mismatch, gap = tile.gap;
  run_slanted(
      tile.scores, [=](int x) { return over[x]; }, [&](int y) { return tile.left.at(0, y); },
      [&](int top) {
        Lanes<std::uint8_t> symbols{};
        for (int k = 0; k < kLanes; ++k)
          symbols[static_cast<std::size_t>(k)] =
              tile.down[static_cast<std::size_t>(std::min(top + k, tile.scores.height - 1))];
        return [=](std::size_t k, int x, std::int32_t above, std::int32_t diagonal, std::int32_t left) {
          return detail::match_score(diagonal, above, left, symbols[k] == across[x] ? match : mismatch, gap);
        };
      });
}

}  // namespace starpath::cpu
