// Places on the grid, on the slide and on the picture.
#include "io/exports/overlay_picture.hpp"

#include <algorithm>
#include <cmath>

namespace starpath::io {
namespace {

constexpr Rgb kOutlineColor{0, 255, 64};  // far from every shade of H&E
constexpr Rgb kGapColor{128, 128, 128};   // what could not be read: neither glass nor tissue

void paint_gap(const Gap& gap, const OverlayPicture& picture, int x, int y, View<Rgb> block) {
  const auto first = [&](std::int64_t at, std::int64_t origin) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(at) / picture.scale)) - origin;
  };
  const auto end = [&](std::int64_t at, std::int64_t origin) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(at) / picture.scale)) - origin;
  };
  const std::int64_t left = std::max<std::int64_t>(0, first(gap.x, picture.left + x));
  const std::int64_t right = std::min<std::int64_t>(block.width, end(gap.x + gap.width, picture.left + x));
  const std::int64_t bottom = std::min<std::int64_t>(block.height, end(gap.y + gap.height, picture.top + y));
  for (std::int64_t row = std::max<std::int64_t>(0, first(gap.y, picture.top + y)); row < bottom; ++row)
    for (std::int64_t column = left; column < right; ++column)
      block.at(static_cast<int>(column), static_cast<int>(row)) = kGapColor;
}

}  // namespace

OverlayPicture overlay_picture(const RunInfo& info, double scale) {
  const double reduction = scale / info.scale;
  const auto first = [&](std::int64_t at) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(at) / reduction));
  };
  const auto size = [&](std::int64_t pixels) {
    return static_cast<int>(std::max<std::int64_t>(1, std::llround(static_cast<double>(pixels) / reduction)));
  };
  return {scale, reduction, first(info.roi_x), first(info.roi_y), size(info.roi_width), size(info.roi_height)};
}

void read_block(const WorkingSlide& overview, const OverlayPicture& picture, int x, int y, View<Rgb> block) {
  for (const Gap& gap : overview.read_around_gaps(picture.left + x, picture.top + y, block))
    paint_gap(gap, picture, x, y, block);
}

std::vector<Contour> outlines_in(const NucleusStore& nuclei, const OverlayPicture& picture, std::int64_t y,
                                 int height) {
  const auto grid_row = [&](std::int64_t row) { return static_cast<double>(picture.top + row) * picture.reduction; };
  std::vector<Contour> outlines;
  nuclei.for_each_nucleus_in_rows(
      static_cast<std::int64_t>(std::floor(grid_row(y))), static_cast<std::int64_t>(std::ceil(grid_row(y + height))),
      [&](std::int64_t, const NucleusRecord& nucleus) { outlines.push_back(nucleus.contour); });
  return outlines;
}

void draw_outline(const Contour& contour, const OverlayPicture& picture, int x, int y, View<Rgb> block) {
  const auto paint = [&](std::int64_t grid_x, std::int64_t grid_y) {
    const auto at = [&](std::int64_t value) {
      return static_cast<std::int64_t>(static_cast<double>(value) / picture.reduction);
    };
    const std::int64_t px = at(grid_x) - picture.left - x, py = at(grid_y) - picture.top - y;
    if (px >= 0 && px < block.width && py >= 0 && py < block.height)
      block.at(static_cast<int>(px), static_cast<int>(py)) = kOutlineColor;
  };
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Point a = contour[i], b = contour[(i + 1) % contour.size()];
    // Clockwise: the object lies below an edge to the right, left of an edge down, and so on.
    if (a.y == b.y) {
      const int row = b.x > a.x ? a.y : a.y - 1;
      for (int column = std::min(a.x, b.x); column < std::max(a.x, b.x); ++column) paint(column, row);
    } else {
      const int column = b.y > a.y ? a.x - 1 : a.x;
      for (int row = std::min(a.y, b.y); row < std::max(a.y, b.y); ++row) paint(column, row);
    }
  }
}

}  // namespace starpath::io
