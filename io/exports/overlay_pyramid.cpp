// The overlay at the resolution of the analysis, for viewers of slides: a tiled TIFF with reduced pages behind the
// first. Each page is read from the slide and drawn for itself, so no page has to be in memory for the next.
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/on_threads.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/overlay_picture.hpp"
#include "io/exports/picture.hpp"
#include "io/exports/tiff_writer.hpp"
#include "io/outputs/picture_start.hpp"

namespace starpath::io {
namespace {

constexpr int kTile = 512, kQuality = 80;
constexpr const char* kOverlaySoftware = "starpath overlay";

/// The pages, down to one that fits into a tile, or to the last that is not reduced more than kMostScale.
std::vector<OverlayPicture> pages_of(const RunInfo& info) {
  std::vector<OverlayPicture> pages;
  for (double scale = info.scale; pages.empty() || scale <= kMostScale; scale *= 2) {
    pages.push_back(overlay_picture(info, scale));
    if (pages.back().width <= kTile && pages.back().height <= kTile) break;
  }
  return pages;
}

void set_page_tags(const TiffWriter& writer, const RunInfo& info, const OverlayPicture& page) {
  writer.set(TIFFTAG_IMAGEWIDTH, page.width);
  writer.set(TIFFTAG_IMAGELENGTH, page.height);
  writer.set(TIFFTAG_TILEWIDTH, kTile);
  writer.set(TIFFTAG_TILELENGTH, kTile);
  writer.set(TIFFTAG_BITSPERSAMPLE, 8);
  writer.set(TIFFTAG_SAMPLESPERPIXEL, 3);
  writer.set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  writer.set(TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
  writer.set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR);
  writer.set(TIFFTAG_YCBCRSUBSAMPLING, 1, 1);  // outlines are a pixel wide, and differ in colour
  if (info.mpp > 0) {
    const double per_centimetre = 1e4 / (info.mpp * page.reduction);
    writer.set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    writer.set(TIFFTAG_XRESOLUTION, per_centimetre);
    writer.set(TIFFTAG_YRESOLUTION, per_centimetre);
  }
  if (page.reduction > 1)
    writer.set(TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
  else
    writer.set(TIFFTAG_SOFTWARE, kOverlaySoftware);
}

/// The outlines in a row of tiles, and which of them each tile shows.
struct RowOfOutlines {
  std::vector<Contour> outlines;
  std::vector<std::vector<std::size_t>> of_tile;
};

RowOfOutlines outlines_by_tile(const NucleusStore& nuclei, const OverlayPicture& page, int y) {
  RowOfOutlines row{outlines_in(nuclei, page, y, kTile), {}};
  const auto columns = static_cast<std::int64_t>((page.width + kTile - 1) / kTile);
  row.of_tile.resize(static_cast<std::size_t>(columns));
  const auto column_of = [&](std::int32_t x) {
    const auto at = static_cast<std::int64_t>(static_cast<double>(x) / page.reduction) - page.left;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at / kTile, 0, columns - 1));
  };
  for (std::size_t i = 0; i < row.outlines.size(); ++i) {
    const auto [first, last] = std::ranges::minmax(row.outlines[i], {}, &Point::x);
    for (std::size_t column = column_of(first.x); column <= column_of(last.x); ++column)
      row.of_tile[column].push_back(i);
  }
  return row;
}

/// A JPEG of the tile whose top left pixel is (x, y) of the page. Beyond the page it is white.
std::string tile_of(const WorkingSlide& overview, const OverlayPicture& page, const RowOfOutlines& row, int x, int y) {
  std::vector<Rgb> pixels(std::size_t{kTile} * kTile, Rgb{255, 255, 255});
  const View<Rgb> shown{pixels.data(), std::min(kTile, page.width - x), std::min(kTile, page.height - y), kTile};
  read_block(overview, page, x, y, shown);
  for (const std::size_t i : row.of_tile[static_cast<std::size_t>(x / kTile)])
    draw_outline(row.outlines[i], page, x, y, shown);
  return jpeg_bytes({pixels.data(), kTile, kTile, kTile}, kQuality);
}

void write_page(const Nuclei& from, const TiffWriter& writer, const OverlayPicture& page,
                const std::function<void(double share)>& progress) {
  // In units of level-0 pixels, so that it works without a known resolution and picks the level that fits.
  const WorkingSlide overview(*from.slide, page.scale, 1.0);
  const NucleusStore nuclei(from.store);
  RowOfOutlines row = outlines_by_tile(nuclei, page, 0), next;
  std::vector<std::string> tiles(row.of_tile.size());
  std::uint32_t number = 0;
  for (int y = 0; y < page.height; y += kTile) {
    on_threads(*from.options.threads, tiles.size() + 1, [&](std::size_t i, int) {
      if (i > 0)
        tiles[i - 1] = tile_of(overview, page, row, static_cast<int>(i - 1) * kTile, y);
      else if (y + kTile < page.height)
        next = outlines_by_tile(nuclei, page, y + kTile);
    });
    for (std::string& tile : tiles)
      writer.check(TIFFWriteRawTile(writer.get(), number++, tile.data(), static_cast<tmsize_t>(tile.size())) >= 0);
    row = std::exchange(next, {});
    progress(std::min(1.0, static_cast<double>(y + kTile) / page.height));
  }
  writer.check(TIFFWriteDirectory(writer.get()) == 1);
}

}  // namespace

void export_overlay_pyramid(const ResultStore& store, const Slide& slide, const std::filesystem::path& file,
                            const ExportOptions& options) {
  const RunInfo info = store.info();
  const std::vector<OverlayPicture> pages = pages_of(info);
  double pixels = 0, written = 0;
  const auto pixels_of = [](const OverlayPicture& page) { return static_cast<double>(page.width) * page.height; };
  for (const OverlayPicture& page : pages) pixels += pixels_of(page);
  AtomicFile output(file);
  TiffWriter writer(output, "overlay", pixels * 3 > static_cast<double>(kClassicTiffLimit));
  for (const OverlayPicture& page : pages) {
    set_page_tags(writer, info, page);
    write_page({store, &slide, options}, writer, page, [&](double share) {
      if (options.on_progress) options.on_progress((written + share * pixels_of(page)) / pixels);
    });
    written += pixels_of(page);
  }
  writer.close();
  output.commit();
}

bool is_overlay_pyramid_export(const std::filesystem::path& file) { return is_tiff_of(file, kOverlaySoftware); }

}  // namespace starpath::io
