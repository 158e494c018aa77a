// Candidates for star_polygons(), from the numbers that StarDist gives for the points of a grid.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/kernels/star_polygons.hpp"

namespace starpath {

/// How a grid of points lies on the working grid of a slide: point (i, j) is the middle of pixel (grid * i, grid * j)
/// of the network's input.
struct StarGrid {
  int grid;        // pixels of the network's input from point to point
  double working;  // pixels of the network's input to a working pixel

  /// In kStarUnit of the working grid, along one side.
  std::int64_t place_of(std::int64_t point) const {
    return std::llround((static_cast<double>(point * grid) + .5) / working * static_cast<double>(kStarUnit));
  }
  /// A distance in pixels of the network's input, in kStarUnit of the working grid.
  std::uint16_t ray_of(double distance) const {
    return static_cast<std::uint16_t>(std::lround(distance / working * static_cast<double>(kStarUnit)));
  }
  /// The first point that lies at working pixel `pixel` or behind it.
  std::int64_t first_from(std::int64_t pixel) const {
    return std::llround(std::ceil((static_cast<double>(pixel) * working - .5) / grid));
  }
};

/// The longest ray that nuclei may have whose longest side is `longest` pixels.
constexpr int longest_ray(int longest) {
  const int half = (longest - 1) / 2;
  return half < kMostStarRay ? half : static_cast<int>(kMostStarRay);
}

/// Those of a region.
class StarCandidates {
 public:
  StarCandidates(int directions, const StarGrid& grid) : directions_(directions), grid_(grid) {}

  const StarGrid& grid() const { return grid_; }
  int directions() const { return directions_; }

  /// Begins a candidate at a point of the grid, counted on the slide. `directions` calls of add_ray() follow, with
  /// distances from 0 to what longest_ray() allows.
  void add_point(std::int64_t i, std::int64_t j, double probability) {
    points_.push_back({probability, grid_.place_of(i), grid_.place_of(j)});
  }
  void add_ray(double distance) { rays_.push_back(grid_.ray_of(distance)); }

  /// Valid while this is not changed.
  Stars stars() const& { return {points_, rays_, directions_}; }
  Stars stars() && = delete;

 private:
  int directions_;
  StarGrid grid_;
  std::vector<StarPoint> points_;
  std::vector<std::uint16_t> rays_;
};

}  // namespace starpath
