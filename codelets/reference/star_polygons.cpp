// Oracle of the polygons of StarDist: masks by a test of each pixel, and each block by itself.
#include "codelets/kernels/star_polygons.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace starpath::reference {
namespace {

using Pixels = std::set<std::pair<std::int64_t, std::int64_t>>;  // (y, x)

Pixels pixels_of(const Stars& stars, std::size_t index, const StarDirections& directions) {
  struct Corner {
    std::int64_t x, y;
  };
  const auto count = static_cast<std::size_t>(stars.directions);
  const StarPoint& point = stars.points[index];
  std::vector<Corner> corners;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint16_t ray = stars.rays[index * count + k];
    corners.push_back({along_ray(point.x, ray, directions.x[k]), along_ray(point.y, ray, directions.y[k])});
  }
  const auto is_inside = [&](std::int64_t x, std::int64_t y) {  // in units
    bool inside = false;
    for (std::size_t k = 0; k < count; ++k) {
      const Corner &a = corners[k], &b = corners[(k + 1) % count];
      if ((a.y > y) == (b.y > y)) continue;
      const Corner &upper = a.y <= y ? a : b, &lower = a.y <= y ? b : a;
      inside ^= (y - upper.y) * (lower.x - upper.x) > (x - upper.x) * (lower.y - upper.y);
    }
    return inside;
  };
  std::int64_t x0 = point.x, x1 = point.x, y0 = point.y, y1 = point.y;
  for (const Corner& corner : corners) {
    x0 = std::min(x0, corner.x), x1 = std::max(x1, corner.x);
    y0 = std::min(y0, corner.y), y1 = std::max(y1, corner.y);
  }
  Pixels pixels;
  for (std::int64_t y = y0 / kStarUnit - 1; y <= y1 / kStarUnit; ++y)
    for (std::int64_t x = x0 / kStarUnit - 1; x <= x1 / kStarUnit; ++x)
      if (is_inside(kStarUnit * x + kStarUnit / 2, kStarUnit * y + kStarUnit / 2)) pixels.emplace(y, x);
  return pixels;
}

bool overlap(const Pixels& a, const Pixels& b, double most_overlap) {
  const auto both = std::ranges::count_if(a, [&](const auto& pixel) { return b.contains(pixel); });
  return static_cast<double>(both) > most_overlap * static_cast<double>(std::min(a.size(), b.size()));
}

}  // namespace

void star_polygons(const KernelContext&, const Stars& stars, double most_overlap, std::int64_t x, std::int64_t y,
                   View<std::int32_t> numbers) {
  const StarDirections directions(stars.directions);
  std::vector<std::size_t> order(stars.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order,
                    [&](std::size_t a, std::size_t b) { return comes_before(stars.points[a], stars.points[b]); });
  std::map<std::size_t, Pixels> polygons;
  for (const std::size_t index : order) polygons[index] = pixels_of(stars, index, directions);
  std::erase_if(order, [&](std::size_t index) { return polygons[index].empty(); });

  std::set<std::array<std::int64_t, 2>> blocks;
  for (const std::size_t index : order) blocks.insert(block_of(stars.points[index]));
  std::set<std::size_t> kept;
  for (const auto& block : blocks) {
    std::vector<std::size_t> kept_here;
    for (const std::size_t index : order)
      if (is_seen(stars.points[index], block) && std::ranges::none_of(kept_here, [&](std::size_t other) {
            return overlap(polygons[index], polygons[other], most_overlap);
          }))
        kept_here.push_back(index);
    for (const std::size_t index : kept_here)
      if (block_of(stars.points[index]) == block) kept.insert(index);
  }

  for (int j = 0; j < numbers.height; ++j) std::fill_n(numbers.row(j), numbers.width, 0);
  for (auto index = order.rbegin(); index != order.rend(); ++index)
    if (kept.contains(*index))
      for (const auto& [v, u] : polygons[*index])
        if (numbers.contains(static_cast<int>(u - x), static_cast<int>(v - y)))
          numbers.at(static_cast<int>(u - x), static_cast<int>(v - y)) = static_cast<std::int32_t>(*index + 1);
}

}  // namespace starpath::reference
