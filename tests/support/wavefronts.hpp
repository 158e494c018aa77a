// Matrices of dependent loops with their borders, and tiles of them.
#pragma once
#include <string_view>

#include "codelets/benchmarks/wavefronts.hpp"
#include "support/images.hpp"

namespace starpath::support {

template <class T>
View<T> part(View<T> all, int x, int y, int width, int height) {
  return {all.row(y) + x, width, height, all.stride};
}

/// The tile at (x, y) of a plate whose matrices have one element of border on each side.
inline HeatTile heat_tile(View<const float> before, View<float> now, int x, int y, int w, int h) {
  return {.before = part(before, x + 1, y + 1, w + 1, h + 1),
          .above = part(now, x + 1, y, w, 1),
          .left = part(now, x, y + 1, 1, h),
          .now = part(now, x + 1, y + 1, w, h)};
}

/// The tile at (x, y) of scores that have one row and one column of border in front.
inline MatchTile match_tile(std::span<const std::uint8_t> down, std::span<const std::uint8_t> across,
                            View<std::int32_t> scores, int x, int y, int w, int h) {
  return {.down = down.subspan(static_cast<std::size_t>(y), static_cast<std::size_t>(h)),
          .across = across.subspan(static_cast<std::size_t>(x), static_cast<std::size_t>(w)),
          .above = part(scores, x, y, w + 1, 1),
          .left = part(scores, x, y + 1, 1, h),
          .scores = part(scores, x + 1, y + 1, w, h)};
}

struct Plate {
  Image<float> before, now;

  Plate(int width, int height) : before(width + 2, height + 2), now(width + 2, height + 2) {}
  void fill(Rng& rng) {
    std::uniform_real_distribution<float> degrees(-20, 120);
    for (int y = 0; y < before.height(); ++y)
      for (int x = 0; x < before.width(); ++x) before.at(x, y) = now.at(x, y) = degrees(rng);
  }
  HeatTile tile(int x, int y, int w, int h) { return heat_tile(std::as_const(before).view(), now.view(), x, y, w, h); }
};

struct Strings {
  std::vector<std::uint8_t> down, across;
  Image<std::int32_t> scores;

  Strings(std::string_view rows, std::string_view columns)
      : down(rows.begin(), rows.end()),
        across(columns.begin(), columns.end()),
        scores(static_cast<int>(columns.size()) + 1, static_cast<int>(rows.size()) + 1) {}
  MatchTile tile(int x, int y, int w, int h) { return match_tile(down, across, scores.view(), x, y, w, h); }
};

inline std::string random_string(Rng& rng, int length) {
  std::string text(static_cast<std::size_t>(length), ' ');
  for (char& symbol : text) symbol = "ACGT"[rng() % 4];
  return text;
}

}  // namespace starpath::support
