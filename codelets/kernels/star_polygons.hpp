// From the points and rays of StarDist to polygons that hardly overlap. Source: Schmidt, Weigert, Broaddus, Myers,
// "Cell Detection with Star-Convex Polygons", MICCAI 2018, section 2: a network estimates for a pixel the probability
// of an object and the distances to its outline in some directions, and greedy non-maximum suppression keeps the most
// probable polygons. What differs: overlaps are counted in pixels, as polygons are painted, where the authors' program
// clips polygons; and a polygon's fate depends on its surroundings alone, so that tiles see the same.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

// The kernel has no CUDA source: it is part of operations that read files or run networks on a core.
/// Lengths are counted in this part of a pixel.
inline constexpr std::int64_t kStarUnit = 64;

/// Candidates of a block of this side, pixels, are decided together. Blocks begin at the slide's first pixel.
inline constexpr std::int64_t kStarBlock = 64;

/// How far around a block candidates are seen that decide about it, pixels.
inline constexpr std::int64_t kStarSight = 128;

/// Longest ray, pixels: what 16 bits hold.
inline constexpr std::int64_t kMostStarRay = 65535 / kStarUnit;

inline constexpr int kLeastStarRays = 3, kMostStarRays = 255;

/// The thresholds of StarDist's model 2D_versatile_he, where nobody says others: a point that is surer than the first
/// is a candidate, and a polygon vanishes that shares more than the second with a surer one.
inline constexpr double kStarProbability = .692, kStarOverlap = .3;

/// A point of the slide, in units of kStarUnit from the corner of its first pixel, and how sure the network is.
struct StarPoint {
  double probability;
  std::int64_t x, y;
};

/// Candidates, in any order. No two have one place.
struct Stars {
  std::span<const StarPoint> points;
  std::span<const std::uint16_t> rays;  ///< of points[i]: directions lengths from i * directions on, in kStarUnit
  int directions;
};

/// Which of two candidates is kept rather than the other: the more probable one, else the upper, else the left one.
constexpr bool comes_before(const StarPoint& a, const StarPoint& b) {
  if (a.probability != b.probability) return a.probability > b.probability;
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

/// The block that a point lies in, by column and row.
constexpr std::array<std::int64_t, 2> block_of(const StarPoint& point) {
  return {point.x / (kStarUnit * kStarBlock), point.y / (kStarUnit * kStarBlock)};
}

/// Whether candidates at `point` are seen when a block is decided: its place lies in the block grown by kStarSight.
constexpr bool is_seen(const StarPoint& point, const std::array<std::int64_t, 2>& block) {
  const auto within = [](std::int64_t at, std::int64_t number) {
    return at >= kStarUnit * (number * kStarBlock - kStarSight) &&
           at < kStarUnit * ((number + 1) * kStarBlock + kStarSight);
  };
  return within(point.x, block[0]) && within(point.y, block[1]);
}

/// Unit vectors of rays: direction k turns by k / directions of a circle from the right to below. In 2^-30, so that the
/// last bit of a library's cosine does not count.
struct StarDirections {
  std::array<std::int64_t, kMostStarRays> x, y;

  explicit StarDirections(int directions) : x{}, y{} {
    constexpr double unit = 1 << 30;
    for (int k = 0; k < directions; ++k) {
      const double angle = 2 * std::numbers::pi * k / directions;
      x[static_cast<std::size_t>(k)] = std::llround(unit * std::cos(angle));
      y[static_cast<std::size_t>(k)] = std::llround(unit * std::sin(angle));
    }
  }
};

/// From a point along a ray, in kStarUnit: rounded to the nearest unit.
constexpr std::int64_t along_ray(std::int64_t from, std::uint16_t length, std::int64_t direction) {
  return from + ((std::int64_t{length} * direction + (std::int64_t{1} << 29)) >> 30);
}

STARPATH_DECLARE_KERNEL(
    /// A candidate's polygon has its corners at the ends of its rays. It holds a pixel whose centre is inside of it:
    /// a line from the centre to the right crosses the outline an odd number of times. A candidate without a pixel is
    /// none. Two candidates overlap where the pixels of both are more than `most_overlap` times those of the smaller.
    /// For each block (kStarBlock) the candidates that are seen of it (is_seen) are gone through in the order of
    /// comes_before(): one is kept that overlaps no other that is kept. Those of the block itself are the block's.
    /// numbers(i, j) = 1 + index of the first kept candidate, in the order of comes_before(), that holds the pixel
    /// (x + i, y + j) of the slide; 0 where none does.
    void star_polygons(const KernelContext& context, const Stars& stars, double most_overlap, std::int64_t x,
                       std::int64_t y, View<std::int32_t> numbers))

}  // namespace starpath
