// Search and outline of regions.
#include "io/outlines/grid_regions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace starpath::io {
namespace {

// Right, down, left, up.
constexpr std::array<Point, 4> kNeighbours = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

class Regions {
 public:
  Regions(const std::vector<int>& values, int columns, int rows)
      : values_(values), columns_(columns), rows_(rows), region_(values.size(), -1) {}

  std::vector<GridRegion> all() {
    std::vector<GridRegion> regions;
    for (int y = 0; y < rows_; ++y)
      for (int x = 0; x < columns_; ++x) {
        if (values_[at(x, y)] < 0 || region_[at(x, y)] >= 0) continue;
        GridRegion region{values_[at(x, y)], search({x, y}, static_cast<int>(regions.size())), {}};
        region.rings = rings(region.cells, static_cast<int>(regions.size()));
        regions.push_back(std::move(region));
      }
    return regions;
  }

 private:
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }
  bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < columns_ && y < rows_; }

  std::vector<Point> search(Point first, int number) {
    std::vector<Point> cells{first};
    region_[at(first.x, first.y)] = number;
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (const Point step : kNeighbours) {
        const int x = cells[i].x + step.x, y = cells[i].y + step.y;
        if (!inside(x, y) || region_[at(x, y)] >= 0 || values_[at(x, y)] != values_[at(first.x, first.y)]) continue;
        region_[at(x, y)] = number;
        cells.push_back({x, y});
      }
    return cells;
  }

  std::vector<Contour> rings(const std::vector<Point>& cells, int number) const {
    // Edges between the region and others, the region on the right hand; two may leave one vertex.
    std::map<std::pair<int, int>, std::vector<std::size_t>> leaving;  // (y, x) -> directions
    const auto other = [&](int x, int y) { return !inside(x, y) || region_[at(x, y)] != number; };
    for (const Point c : cells) {
      if (other(c.x, c.y - 1)) leaving[{c.y, c.x}].push_back(0);
      if (other(c.x + 1, c.y)) leaving[{c.y, c.x + 1}].push_back(1);
      if (other(c.x, c.y + 1)) leaving[{c.y + 1, c.x + 1}].push_back(2);
      if (other(c.x - 1, c.y)) leaving[{c.y + 1, c.x}].push_back(3);
    }
    std::vector<Contour> rings;
    while (!leaving.empty()) rings.push_back(walk(leaving));
    return rings;  // the first vertex in raster order is a corner of the outline
  }

  // Follows edges from the first vertex in raster order until it is there again, taking them away.
  static Contour walk(std::map<std::pair<int, int>, std::vector<std::size_t>>& leaving) {
    const Point start{leaving.begin()->first.second, leaving.begin()->first.first};
    Contour ring;
    Point here = start;
    std::size_t direction = 4;
    do {
      const auto found = leaving.find({here.y, here.x});
      auto& ways = found->second;
      // Left at a crossing: cells that touch across a corner get rings of their own there.
      const auto left = std::find(ways.begin(), ways.end(), (direction + 3) % 4);
      const auto way = ways.size() > 1 && direction < 4 && left != ways.end() ? left : ways.begin();
      if (*way != direction) ring.push_back(here);
      direction = *way;
      ways.erase(way);
      if (ways.empty()) leaving.erase(found);
      here = {here.x + kNeighbours[direction].x, here.y + kNeighbours[direction].y};
    } while (here != start);
    return ring;
  }

  const std::vector<int>& values_;
  int columns_, rows_;
  std::vector<int> region_;
};

}  // namespace

std::vector<GridRegion> grid_regions(const std::vector<int>& values, int columns, int rows) {
  return Regions(values, columns, rows).all();
}

}  // namespace starpath::io
