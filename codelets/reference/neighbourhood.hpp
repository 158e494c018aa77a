// A nucleus and its ring, pixel by pixel.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/nucleus_regions.hpp"

namespace starpath::reference {

/// Which pixels around one object are its nucleus and which its ring.
struct Neighbourhood {
  int x0, y0, x1, y1;  // of the rectangle looked at; x1 and y1 one past the last
  std::vector<Region> regions;

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(x1 - x0) + static_cast<std::size_t>(x - x0);
  }
  Region at(int x, int y) const {
    return x >= x0 && x < x1 && y >= y0 && y < y1 ? regions[index(x, y)] : Region::outside;
  }
};

inline bool near_object(View<const std::int32_t> labels, std::int32_t label, int x, int y) {
  for (int dy = -kRingDistance; dy <= kRingDistance; ++dy)
    for (int dx = -kRingDistance; dx <= kRingDistance; ++dx)
      if (dx * dx + dy * dy <= kRingDistance * kRingDistance && labels.contains(x + dx, y + dy) &&
          labels.at(x + dx, y + dy) == label)
        return true;
  return false;
}

inline Neighbourhood neighbourhood_of(View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label) {
  const RingBox around(box, labels.width, labels.height);
  Neighbourhood n{around.x0, around.y0, around.x1, around.y1, {}};
  for (int y = n.y0; y < n.y1; ++y)
    for (int x = n.x0; x < n.x1; ++x) {
      Region region = Region::outside;
      if (labels.at(x, y) == label)
        region = Region::nucleus;
      else if (labels.at(x, y) == 0 && near_object(labels, label, x, y))
        region = Region::ring;
      n.regions.push_back(region);
    }
  return n;
}

}  // namespace starpath::reference
