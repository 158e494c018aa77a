// The slide with the outlines of its nuclei, to be looked at.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/png_writer.hpp"
#include "io/outputs/picture_start.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::io {
namespace {

constexpr Rgb kOutlineColor{0, 255, 64};  // far from every shade of H&E
constexpr Rgb kGapColor{128, 128, 128};   // what could not be read: neither glass nor tissue
// Pixels of the picture that are read at once: a band of 4096 has 8 blocks for threads to read.
constexpr int kBandHeight = 256, kBlockWidth = 512;

/// Where the picture lies: pixel (px, py) of the grid falls on picture pixel (px / reduction - left, py / reduction -
/// top).
struct Picture {
  double scale;      // level-0 pixels to a pixel of the picture
  double reduction;  // pixels of the grid to one
  std::int64_t left, top;
  int width, height;
};

Picture picture_of(const RunInfo& info, int max_side) {
  const auto longer = static_cast<double>(std::max(info.roi_width, info.roi_height));
  const double scale = std::min(info.scale * std::max(1.0, longer / max_side), kMostScale);
  const double reduction = scale / info.scale;
  const auto first = [&](std::int64_t at) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(at) / reduction));
  };
  const auto size = [&](std::int64_t pixels) {
    return static_cast<int>(std::max<std::int64_t>(1, std::llround(static_cast<double>(pixels) / reduction)));
  };
  return {scale, reduction, first(info.roi_x), first(info.roi_y), size(info.roi_width), size(info.roi_height)};
}

/// Paints the pixels of the object that lie along its outline.
void draw(const Contour& contour, const Picture& picture, std::int64_t band_y, View<Rgb> band) {
  const auto paint = [&](std::int64_t x, std::int64_t y) {
    const auto at = [&](std::int64_t value) {
      return static_cast<std::int64_t>(static_cast<double>(value) / picture.reduction);
    };
    const std::int64_t px = at(x) - picture.left, py = at(y) - picture.top - band_y;
    if (px >= 0 && px < band.width && py >= 0 && py < band.height)
      band.at(static_cast<int>(px), static_cast<int>(py)) = kOutlineColor;
  };
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Point a = contour[i], b = contour[(i + 1) % contour.size()];
    // Clockwise: the object lies below an edge to the right, left of an edge down, and so on.
    if (a.y == b.y) {
      const int y = b.x > a.x ? a.y : a.y - 1;
      for (int x = std::min(a.x, b.x); x < std::max(a.x, b.x); ++x) paint(x, y);
    } else {
      const int x = b.y > a.y ? a.x - 1 : a.x;
      for (int y = std::min(a.y, b.y); y < std::max(a.y, b.y); ++y) paint(x, y);
    }
  }
}

/// Paints what could not be read in a block of the picture whose top left pixel is (x, y).
void paint_gap(const Gap& gap, const Picture& picture, int x, int y, View<Rgb> block) {
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

/// The outlines of the nuclei in rows of the picture.
std::vector<Contour> outlines_in(const NucleusStore& nuclei, const Picture& picture, std::int64_t y, int height) {
  const auto grid_row = [&](std::int64_t row) { return static_cast<double>(picture.top + row) * picture.reduction; };
  std::vector<Contour> outlines;
  nuclei.for_each_nucleus_in_rows(
      static_cast<std::int64_t>(std::floor(grid_row(y))), static_cast<std::int64_t>(std::ceil(grid_row(y + height))),
      [&](std::int64_t, const NucleusRecord& nucleus) { outlines.push_back(nucleus.contour); });
  return outlines;
}

}  // namespace

void export_overlay(const ResultStore& store, const Slide& slide, const std::filesystem::path& file, int max_side,
                    const ExportOptions& options) {
  if (max_side < 1) throw Error(ErrorKind::usage, "the overlay's longest side must be at least 1 pixel");
  const RunInfo info = store.info();
  const NucleusStore nuclei(store);
  const Picture picture = picture_of(info, max_side);
  // In units of level-0 pixels, so that it works without a known resolution and picks the level that fits.
  const WorkingSlide overview(slide, picture.scale, 1.0);

  AtomicFile output(file);
  PngWriter writer(output, picture.width, picture.height, kOverlayTitle);
  std::array<std::vector<Rgb>, 2> buffers;  // a band is packed while the next one is read
  for (std::vector<Rgb>& pixels : buffers) pixels.resize(static_cast<std::size_t>(picture.width) * kBandHeight);
  View<Rgb> drawn{buffers[1].data(), picture.width, 0, picture.width};
  const auto blocks = static_cast<std::size_t>((picture.width + kBlockWidth - 1) / kBlockWidth);
  for (int y = 0; y < picture.height; y += kBandHeight) {
    const View<Rgb> band{buffers[static_cast<std::size_t>(y / kBandHeight % 2)].data(), picture.width,
                         std::min(kBandHeight, picture.height - y), picture.width};
    std::vector<Contour> outlines;
    on_threads(*options.threads, blocks + 2, [&](std::size_t i, int) {
      if (i == 0) return writer.write(drawn);
      if (i == blocks + 1) {
        outlines = outlines_in(nuclei, picture, y, band.height);
        return;
      }
      const int x = static_cast<int>(i - 1) * kBlockWidth;
      const View<Rgb> block{band.data + x, std::min(kBlockWidth, band.width - x), band.height, band.stride};
      for (const Gap& gap : overview.read_around_gaps(picture.left + x, picture.top + y, block))
        paint_gap(gap, picture, x, y, block);
    });
    for (const Contour& outline : outlines) draw(outline, picture, y, band);
    drawn = band;
    if (options.on_progress) options.on_progress(static_cast<double>(y + band.height) / picture.height);
  }
  writer.write(drawn);
  writer.finish();
  output.commit();
}

bool is_overlay_export(const std::filesystem::path& file) {
  return is_picture_titled(file, kOverlayTitle) || is_untitled_picture(file);
}

}  // namespace starpath::io
