// Star-convex polygons as runs of pixels.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "codelets/kernels/star_polygons.hpp"

namespace starpath::cpu {

/// Pixels x0 <= x < x1 of row y of the slide.
struct StarRun {
  std::int32_t y, x0, x1;
};

/// Of pixels of the slide, the last ones outside of it.
struct StarBox {
  std::int32_t x0, y0, x1, y1;

  bool meets(const StarBox& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
  bool lies_in(const StarBox& other) const {
    return x0 >= other.x0 && y0 >= other.y0 && x1 <= other.x1 && y1 <= other.y1;
  }
  StarBox with(const StarBox& other) const {
    return {std::min(x0, other.x0), std::min(y0, other.y0), std::max(x1, other.x1), std::max(y1, other.y1)};
  }
};

/// The pixels of both.
inline std::int64_t common_pixels(std::span<const StarRun> a, std::span<const StarRun> b) {
  std::int64_t both = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (i->y != j->y) {
      i->y < j->y ? ++i : ++j;
      continue;
    }
    both += std::max(0, std::min(i->x1, j->x1) - std::max(i->x0, j->x0));
    i->x1 < j->x1 ? ++i : ++j;
  }
  return both;
}

/// Paints one polygon after the other into memory of its own.
class StarRaster {
 public:
  /// Takes its memory from `scratch`.
  StarRaster(const Stars& stars, Scratch& scratch) : stars_(stars), directions_(stars.directions) {
    std::uint16_t longest = 0;
    for (const std::uint16_t ray : stars.rays) longest = std::max(longest, ray);
    reach_ = static_cast<std::int32_t>(longest / kStarUnit + 1);
    const auto most = static_cast<std::size_t>(stars.directions) * static_cast<std::size_t>(2 * reach_ + 2);
    crossings_ = scratch.take<Crossing>(most);
    runs_ = scratch.take<StarRun>(most / 2 + 1);
  }

  /// How far a polygon reaches from its point, pixels, at most.
  std::int32_t reach() const { return reach_; }

  /// By rising rows and columns; valid until the next call.
  std::span<const StarRun> runs_of(std::size_t index) {
    const std::size_t count = cross(index);
    std::sort(crossings_.begin(), crossings_.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Crossing& a, const Crossing& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
    std::size_t made = 0;
    for (std::size_t i = 0; i + 1 < count; i += 2)  // an outline crosses a row an even number of times
      if (crossings_[i].x < crossings_[i + 1].x)
        runs_[made++] = {crossings_[i].y, crossings_[i].x, crossings_[i + 1].x};
    return runs_.first(made);
  }

 private:
  /// Row y: pixels before x have their centres left of an edge.
  struct Crossing {
    std::int32_t y, x;
  };

  /// For a divisor above 0.
  static std::int64_t divided_up(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

  std::size_t cross(std::size_t index) {
    constexpr std::int64_t half = kStarUnit / 2;
    const auto count = static_cast<std::size_t>(stars_.directions);
    const StarPoint& point = stars_.points[index];
    const std::uint16_t* const rays = stars_.rays.data() + index * count;
    const auto corner_x = [&](std::size_t k) { return along_ray(point.x, rays[k], directions_.x[k]); };
    const auto corner_y = [&](std::size_t k) { return along_ray(point.y, rays[k], directions_.y[k]); };
    std::size_t made = 0;
    std::int64_t ax = corner_x(count - 1), ay = corner_y(count - 1);
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t bx = corner_x(k), by = corner_y(k);
      const std::int64_t upper_x = ay <= by ? ax : bx, upper_y = std::min(ay, by), lower_x = ay <= by ? bx : ax,
                         lower_y = std::max(ay, by);
      const std::int64_t dx = lower_x - upper_x, dy = lower_y - upper_y;
      const std::int64_t end = divided_up(lower_y - half, kStarUnit);
      for (std::int64_t y = divided_up(upper_y - half, kStarUnit); y < end; ++y) {
        const std::int64_t down = kStarUnit * y + half - upper_y;
        const std::int64_t x = divided_up((upper_x - half) * dy + down * dx, kStarUnit * dy);
        crossings_[made++] = {static_cast<std::int32_t>(y), static_cast<std::int32_t>(x)};
      }
      ax = bx;
      ay = by;
    }
    return made;
  }

  const Stars& stars_;
  const StarDirections directions_;
  std::int32_t reach_ = 0;
  std::span<Crossing> crossings_;
  std::span<StarRun> runs_;
};

}  // namespace starpath::cpu
