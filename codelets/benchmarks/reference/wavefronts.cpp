// Plain loops.
#include "codelets/benchmarks/wavefronts.hpp"

namespace starpath::reference {

void heat_step(const KernelContext&, const HeatTile& tile) {
  for (int y = 0; y < tile.now.height; ++y)
    for (int x = 0; x < tile.now.width; ++x) {
      const float above = y > 0 ? tile.now.at(x, y - 1) : tile.above.at(x, 0);
      const float left = x > 0 ? tile.now.at(x - 1, y) : tile.left.at(0, y);
      tile.now.at(x, y) = detail::heat(tile.before.at(x + 1, y), tile.before.at(x, y + 1), above, left);
    }
}

void match_strings(const KernelContext&, const MatchTile& tile) {
  const auto score = [&](int x, int y) {
    if (y < 0) return tile.above.at(x + 1, 0);
    return x < 0 ? tile.left.at(0, y) : tile.scores.at(x, y);
  };
  for (int y = 0; y < tile.scores.height; ++y)
    for (int x = 0; x < tile.scores.width; ++x) {
      const bool same = tile.down[static_cast<std::size_t>(y)] == tile.across[static_cast<std::size_t>(x)];
      tile.scores.at(x, y) = detail::match_score(score(x - 1, y - 1), score(x, y - 1), score(x - 1, y),
                                                 same ? tile.match : tile.mismatch, tile.gap);
    }
}

}  // namespace starpath::reference
