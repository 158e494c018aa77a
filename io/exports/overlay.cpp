// The slide with the outlines of its nuclei, to be looked at.
#include <algorithm>
#include <array>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/overlay_picture.hpp"
#include "io/exports/png_writer.hpp"
#include "io/outputs/picture_start.hpp"

namespace starpath::io {
namespace {

// Pixels of the picture that are read at once: a band of 4096 has 8 blocks for threads to read.
constexpr int kBandHeight = 256, kBlockWidth = 512;

/// Reduced until its longer side has at most `max_side` pixels.
OverlayPicture picture_of(const RunInfo& info, int max_side) {
  const auto longer = static_cast<double>(std::max(info.roi_width, info.roi_height));
  return overlay_picture(info, std::min(info.scale * std::max(1.0, longer / max_side), kMostScale));
}

}  // namespace

void export_overlay(const ResultStore& store, const Slide& slide, const std::filesystem::path& file, int max_side,
                    const ExportOptions& options) {
  if (max_side < 1) throw Error(ErrorKind::usage, "the overlay's longest side must be at least 1 pixel");
  const RunInfo info = store.info();
  const NucleusStore nuclei(store);
  const OverlayPicture picture = picture_of(info, max_side);
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
      read_block(overview, picture, x, y, block);
    });
    for (const Contour& outline : outlines) draw_outline(outline, picture, 0, y, band);
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
