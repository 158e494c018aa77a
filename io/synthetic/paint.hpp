// Painting of synthetic tissue: the background texture and the cells on it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "io/synthetic/tissue.hpp"

namespace starpath::io {

/// A region of the slide, in pixels.
struct PaintArea {
  std::int64_t x, y;
  int width, height;
};

/// Calls visit(column, row, level) for each pixel of the area in the cell's bounding box whose level is under 2
/// (inside: < 1).
template <class Visit>
void visit_cell(const Cell& cell, const PaintArea& area, const Visit& visit) {
  const auto clip = [](float place, std::int64_t begin, int size) {
    return static_cast<int>(std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(place)) - begin, 0, size));
  };
  const int left = clip(cell.x - cell.reach_x, area.x, area.width),
            right = clip(cell.x + cell.reach_x + 1, area.x, area.width);
  const int top = clip(cell.y - cell.reach_y, area.y, area.height),
            bottom = clip(cell.y + cell.reach_y + 1, area.y, area.height);
  for (int row = top; row < bottom; ++row) {
    const float dy = static_cast<float>(area.y + row) + 0.5f - cell.y;
    for (int column = left; column < right; ++column) {
      const float level = cell.level(static_cast<float>(area.x + column) + 0.5f - cell.x, dy);
      if (level < 2) visit(column, row, level);
    }
  }
}

/// Textures that repeat every `kPeriod` pixels: made once a slide (about 20 ms, 768 KiB).
class Textures {
 public:
  static constexpr int kPeriod = 512;
  explicit Textures(std::uint64_t seed);
  const std::uint8_t* across(std::int64_t y) const { return across_.data() + row(y); }  // fibres that run along x
  const std::uint8_t* along(std::int64_t y) const { return along_.data() + row(y); }    // fibres that run along y
  const std::uint8_t* grain(std::int64_t y) const { return grain_.data() + row(y); }

 private:
  static std::size_t row(std::int64_t y) { return static_cast<std::size_t>(y & (kPeriod - 1)) * kPeriod; }
  std::vector<std::uint8_t> across_, along_, grain_;
};

/// Paints the area (which lies within the slide) into `out`: glass, stroma, cytoplasm, then red cells, then nuclei.
/// A pixel's colour depends on its place only.
void paint(const TissueMap& map, const Textures& textures, std::int64_t x, std::int64_t y, View<Rgb> out);

}  // namespace starpath::io
