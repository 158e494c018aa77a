// Rectangles of pixels.
#pragma once
#include <algorithm>
#include <cstdint>

namespace starpath {

/// Half-open rectangle in working pixels: x <= px < x + width.
struct Rect {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  std::int64_t right() const { return x + width; }
  std::int64_t bottom() const { return y + height; }
  bool empty() const { return width <= 0 || height <= 0; }
  friend bool operator==(const Rect&, const Rect&) = default;
};

/// The common part; empty() when there is none.
inline Rect intersection(const Rect& a, const Rect& b) {
  const std::int64_t x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

}  // namespace starpath
