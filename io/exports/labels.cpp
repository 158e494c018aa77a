// Nuclei as a label image: a tiled OME-TIFF whose pyramid lies in SubIFDs.
#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/label_bands.hpp"
#include "io/exports/label_tile.hpp"
#include "io/exports/tiff_writer.hpp"
#include "io/outputs/picture_start.hpp"

namespace starpath::io {
namespace {

constexpr const char* kSoftware = "starpath";

/// The levels, down to the one that fits into a tile.
std::vector<LabelLevel> pyramid(std::int64_t width, std::int64_t height) {
  std::vector<LabelLevel> levels;
  for (int shift = 0;; ++shift) {
    const std::int64_t round_up = (std::int64_t{1} << shift) - 1;
    levels.push_back({shift, (width + round_up) >> shift, (height + round_up) >> shift});
    if (levels.back().width <= kLabelTileSide && levels.back().height <= kLabelTileSide) return levels;
  }
}

/// The description that OME readers (QuPath, Bio-Formats, tifffile) read.
std::string ome_xml(const RunInfo& info) {
  std::string size;
  if (info.mpp > 0) size = fmt::format(R"( PhysicalSizeX="{0}" PhysicalSizeY="{0}")", info.mpp);
  return fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" )"
      R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 )"
      R"(http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd"><Image ID="Image:0" Name="nuclei"><Pixels ID="Pixels:0" )"
      R"(DimensionOrder="XYCZT" Type="uint32" SizeX="{}" SizeY="{}" SizeC="1" SizeZ="1" SizeT="1"{}>)"
      R"(<Channel ID="Channel:0:0" SamplesPerPixel="1"/><TiffData IFD="0" PlaneCount="1"/></Pixels></Image></OME>)",
      info.width, info.height, size);
}

void set_tags(const TiffWriter& writer, const RunInfo& info, const LabelLevel& level, std::size_t level_count) {
  const auto set = [&](std::uint32_t tag, auto... values) { writer.set(tag, values...); };
  set(TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(level.width));
  set(TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(level.height));
  set(TIFFTAG_TILEWIDTH, static_cast<std::uint32_t>(kLabelTileSide));
  set(TIFFTAG_TILELENGTH, static_cast<std::uint32_t>(kLabelTileSide));
  set(TIFFTAG_BITSPERSAMPLE, 32);
  set(TIFFTAG_SAMPLESPERPIXEL, 1);
  set(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  set(TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  set(TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
  if (info.mpp > 0) {
    const double per_centimetre = 1e4 / (info.mpp * static_cast<double>(std::int64_t{1} << level.shift));
    set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    set(TIFFTAG_XRESOLUTION, per_centimetre);
    set(TIFFTAG_YRESOLUTION, per_centimetre);
  }
  if (level.shift > 0) {
    set(TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    return;
  }
  set(TIFFTAG_SOFTWARE, kSoftware);
  const std::string description = ome_xml(info);
  set(TIFFTAG_IMAGEDESCRIPTION, description.c_str());
  if (level_count == 1) return;
  // libtiff makes the next directories those of the pyramid, and fills in where they came to lie.
  const std::vector<toff_t> places(level_count - 1, 0);
  set(TIFFTAG_SUBIFD, static_cast<int>(places.size()), places.data());
}

/// One packer for each thread. A tile without nuclei is packed once for all: that saves most of the time on a slide
/// that is mostly glass.
struct Packers {
  explicit Packers(ThreadBudget& budget) : threads(budget), each(static_cast<std::size_t>(budget.all())) {
    each[0].pack({}, 0, empty);
  }

  ThreadBudget& threads;
  std::vector<LabelTilePacker> each;
  std::vector<std::byte> empty;
};

using PackedTile = std::vector<std::byte>;  // empty: it has no nuclei

/// Packs rows of tiles while `read` reads the next ones. Returns one list for each row.
template <class Read>
std::vector<std::vector<PackedTile>> pack(const std::vector<LabelTileRow>& rows, Packers& packers, const Read& read) {
  std::vector<std::vector<PackedTile>> packed;
  std::vector<std::pair<std::size_t, std::size_t>> work;  // row, column
  for (std::size_t row = 0; row < rows.size(); ++row) {
    packed.emplace_back(rows[row].tiles.size());
    for (std::size_t column = 0; column < rows[row].tiles.size(); ++column)
      if (!rows[row].tiles[column].empty()) work.emplace_back(row, column);
  }
  on_threads(packers.threads, work.size() + 1, [&](std::size_t i, int thread) {
    if (i == 0) return read();
    const auto [row, column] = work[i - 1];
    packers.each[static_cast<std::size_t>(thread)].pack(
        rows[row].tiles[column], static_cast<std::int64_t>(column) * kLabelTileSide, packed[row][column]);
  });
  return packed;
}

/// Writes tiles into the level whose tags were set last. Tiles are numbered row by row.
void write_tiles(const TiffWriter& writer, Packers& packers, std::uint32_t first, std::vector<PackedTile>& tiles) {
  for (std::size_t column = 0; column < tiles.size(); ++column) {
    PackedTile& bytes = tiles[column].empty() ? packers.empty : tiles[column];
    writer.check(TIFFWriteRawTile(writer.get(), first + static_cast<std::uint32_t>(column), bytes.data(),
                                  static_cast<tmsize_t>(bytes.size())) >= 0);
  }
}

/// Writes levels that are neighbours. The file has one level after the other: the tiles of all but the first wait in
/// memory.
void write_levels(const ResultStore& store, const TiffWriter& writer, Packers& packers,
                  std::span<const LabelLevel> levels, const std::function<void()>& set_next_tags,
                  const std::function<void(double share)>& progress) {
  std::vector<std::vector<PackedTile>> waiting(levels.size());
  LabelBands bands(store, levels);
  std::vector<LabelTileRow> next = bands.next();
  set_next_tags();
  for (std::uint32_t tile = 0; !next.empty();) {
    const std::vector<LabelTileRow> rows = std::exchange(next, {});
    auto packed = pack(rows, packers, [&] {
      if (bands.more()) next = bands.next();
    });
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows[row].level == 0) {
        write_tiles(writer, packers, tile, packed[row]);
        tile += static_cast<std::uint32_t>(packed[row].size());
      } else {
        std::ranges::move(packed[row], std::back_inserter(waiting[rows[row].level]));
      }
    }
    progress(bands.done());
  }
  writer.check(TIFFWriteDirectory(writer.get()) == 1);
  for (std::size_t level = 1; level < levels.size(); ++level) {
    set_next_tags();
    write_tiles(writer, packers, 0, waiting[level]);
    writer.check(TIFFWriteDirectory(writer.get()) == 1);
  }
}

}  // namespace

void export_labels(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options) {
  const RunInfo info = store.info();
  const std::vector<LabelLevel> levels = pyramid(info.width, info.height);
  std::int64_t bytes = 0;
  for (const LabelLevel& level : levels) bytes += (level.width + kLabelTileSide) * (level.height + kLabelTileSide) * 4;

  AtomicFile output(file);
  TiffWriter writer(output, "labels", bytes > kClassicTiffLimit);
  Packers packers(*options.threads);
  std::size_t tagged = 0;
  const auto write = [&](std::span<const LabelLevel> some, double before, double share) {
    write_levels(
        store, writer, packers, some,
        [&] {
          set_tags(writer, info, levels[tagged], levels.size());
          ++tagged;
        },
        [&](double done) {
          if (options.on_progress) options.on_progress(before + share * done);
        });
  };
  // Nuclei are read twice, so that tiles of a twelfth of the first level's area wait in memory, and not of a third.
  const std::span<const LabelLevel> all = levels;
  write(all.first(1), 0, all.size() > 1 ? 0.5 : 1.0);
  if (all.size() > 1) write(all.subspan(1), 0.5, 0.5);
  writer.close();
  output.commit();
}

bool is_labels_export(const std::filesystem::path& file) { return is_tiff_of(file, kSoftware); }

}  // namespace starpath::io
