// Oracle of operation 9: Prim's algorithm, grown from all markers at once.
#include "codelets/kernels/watershed.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

namespace starpath::reference {
namespace {

struct Pixel {
  int x, y;
};

/// Calls visit(q) for the 8 neighbours q of p in the objects.
template <class Visit>
void for_neighbours(MaskView objects, Pixel p, Visit visit) {
  for (int y = p.y - 1; y <= p.y + 1; ++y)
    for (int x = p.x - 1; x <= p.x + 1; ++x)
      if ((x != p.x || y != p.y) && objects.contains(x, y) && objects.at(x, y) != 0) visit(Pixel{x, y});
}

/// Numbers object pixels in the total order: 0, 1, ... from the deepest to the shallowest, in raster order among
/// equals.
void order_pixels(MaskView objects, View<const std::uint16_t> depth, View<int> order) {
  std::vector<Pixel> pixels;
  for (int y = 0; y < objects.height; ++y)
    for (int x = 0; x < objects.width; ++x)
      if (objects.at(x, y) != 0) pixels.push_back({x, y});
  std::stable_sort(pixels.begin(), pixels.end(),
                   [&](Pixel p, Pixel q) { return depth.at(p.x, p.y) > depth.at(q.x, q.y); });
  int next = 0;
  for (const Pixel p : pixels) order.at(p.x, p.y) = next++;
}

/// Numbers the regional maxima in `basin`, which is 0 everywhere else.
void find_markers(MaskView objects, View<const std::uint16_t> depth, View<int> basin) {
  std::vector<char> seen(static_cast<std::size_t>(objects.pixels()), 0);
  const View<char> done{seen.data(), objects.width, objects.height, objects.width};
  int count = 0;
  for (int y = 0; y < objects.height; ++y)
    for (int x = 0; x < objects.width; ++x) {
      if (objects.at(x, y) == 0 || done.at(x, y) != 0) continue;
      const std::uint16_t level = depth.at(x, y);
      std::vector<Pixel> plateau = {{x, y}};
      done.at(x, y) = 1;
      bool maximum = true;
      for (std::size_t i = 0; i < plateau.size(); ++i)
        for_neighbours(objects, plateau[i], [&](Pixel q) {
          if (depth.at(q.x, q.y) > level) maximum = false;
          if (depth.at(q.x, q.y) != level || done.at(q.x, q.y) != 0) return;
          done.at(q.x, q.y) = 1;
          plateau.push_back(q);
        });
      if (!maximum) continue;
      ++count;
      for (const Pixel p : plateau) basin.at(p.x, p.y) = count;
    }
}

/// Extends the markers in `basin` over all object pixels, always along the lightest edge that leaves the forest.
void grow(MaskView objects, View<const int> order, View<int> basin) {
  using Edge = std::tuple<int, int, int, int, int>;  // later end, earlier end, the pixel it leads to, its basin
  std::priority_queue<Edge, std::vector<Edge>, std::greater<>> edges;
  const auto push_edges = [&](Pixel p) {
    for_neighbours(objects, p, [&](Pixel q) {
      const auto [early, late] = std::minmax(order.at(p.x, p.y), order.at(q.x, q.y));
      if (basin.at(q.x, q.y) == 0) edges.emplace(late, early, q.x, q.y, basin.at(p.x, p.y));
    });
  };
  for (int y = 0; y < objects.height; ++y)
    for (int x = 0; x < objects.width; ++x)
      if (basin.at(x, y) != 0) push_edges({x, y});
  while (!edges.empty()) {
    const auto [late, early, x, y, number] = edges.top();
    edges.pop();
    if (basin.at(x, y) != 0) continue;
    basin.at(x, y) = number;
    push_edges({x, y});
  }
}

}  // namespace

void watershed(const KernelContext&, MaskView objects, View<const std::uint16_t> depth, View<std::uint8_t> nuclei) {
  const int width = objects.width, height = objects.height;
  const auto size = static_cast<std::size_t>(objects.pixels());
  std::vector<int> order_values(size, 0), basin_values(size, 0);
  const View<int> order{order_values.data(), width, height, width};
  const View<int> basin{basin_values.data(), width, height, width};
  order_pixels(objects, depth, order);
  find_markers(objects, depth, basin);
  grow(objects, order, basin);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      bool kept = objects.at(x, y) != 0;
      if (kept) for_neighbours(objects, {x, y}, [&](Pixel q) { kept = kept && basin.at(q.x, q.y) >= basin.at(x, y); });
      nuclei.at(x, y) = kept ? 255 : 0;
    }
}

}  // namespace starpath::reference
