// Nuclei as a label image: a tiled OME-TIFF whose pyramid lies in SubIFDs.
#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/label_tile.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kClassicLimit = 4'000'000'000;  // classic TIFF ends at 4 GiB; some room for its directories

/// Every second pixel of the level below, from the first on, until a tile holds all.
struct Level {
  int shift;  // level pixel (x, y) is pixel (x << shift, y << shift) of the grid
  std::int64_t width, height;
};

std::vector<Level> pyramid(std::int64_t width, std::int64_t height) {
  std::vector<Level> levels;
  for (int shift = 0;; ++shift) {
    const std::int64_t round_up = (std::int64_t{1} << shift) - 1;
    levels.push_back({shift, (width + round_up) >> shift, (height + round_up) >> shift});
    if (levels.back().width <= kLabelTileSide && levels.back().height <= kLabelTileSide) return levels;
  }
}

/// libtiff on top of an AtomicFile.
class TiffWriter {
 public:
  TiffWriter(AtomicFile& file, bool big);
  TIFF* get() const { return tiff_.get(); }
  /// Throws unless a call of libtiff went well.
  void check(bool good) const;
  /// Writes what is left.
  void close() {
    tiff_.reset();
    file_.check();
  }

 private:
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  static int report(TIFF*, void* writer, const char*, const char* format, va_list arguments) {
    std::array<char, 256> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    static_cast<TiffWriter*>(writer)->message_ = text.data();
    return 1;
  }

  AtomicFile& file_;
  std::string message_ = "no reason given";
  std::unique_ptr<TIFF, Close> tiff_;
};

TiffWriter::TiffWriter(AtomicFile& file, bool big) : file_(file) {
  std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), report, this);
  tiff_.reset(TIFFClientOpenExt(
      "labels", big ? "w8l" : "wl", &file,
      [](thandle_t handle, void* data, tmsize_t size) -> tmsize_t {
        return static_cast<AtomicFile*>(handle)->try_read(data, static_cast<std::size_t>(size));
      },
      [](thandle_t handle, void* data, tmsize_t size) -> tmsize_t {
        return static_cast<AtomicFile*>(handle)->try_write(data, static_cast<std::size_t>(size)) ? size : -1;
      },
      [](thandle_t handle, toff_t offset, int whence) -> toff_t {
        return static_cast<toff_t>(
            static_cast<AtomicFile*>(handle)->try_seek(static_cast<std::int64_t>(offset), whence));
      },
      [](thandle_t) { return 0; }, [](thandle_t) -> toff_t { return 0; }, nullptr, nullptr, options.get()));
  check(tiff_ != nullptr);
}

void TiffWriter::check(bool good) const {
  file_.check();
  if (!good)
    throw Error(ErrorKind::output, fmt::format("labels: libtiff failed ({}); check the disk and try again", message_));
}

/// What OME readers (QuPath, Bio-Formats, tifffile) go by.
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

void set_tags(const TiffWriter& writer, const RunInfo& info, const Level& level, std::size_t level_count) {
  TIFF* tiff = writer.get();
  const auto set = [&](std::uint32_t tag, auto... values) { writer.check(TIFFSetField(tiff, tag, values...) == 1); };
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
  set(TIFFTAG_SOFTWARE, "starpath");
  const std::string description = ome_xml(info);
  set(TIFFTAG_IMAGEDESCRIPTION, description.c_str());
  if (level_count == 1) return;
  // libtiff makes the next directories those of the pyramid, and fills in where they came to lie.
  const std::vector<toff_t> places(level_count - 1, 0);
  set(TIFFTAG_SUBIFD, static_cast<int>(places.size()), places.data());
}

/// The runs of one row of tiles, a list a tile.
void collect_runs(const ResultStore& store, const Level& level, std::int64_t grid_width, std::int64_t band_y,
                  std::vector<std::vector<LabelRun>>& tiles) {
  for (auto& tile : tiles) tile.clear();
  const std::int64_t step = std::int64_t{1} << level.shift, y0 = band_y << level.shift,
                     y1 = std::min(band_y + kLabelTileSide, level.height) << level.shift;
  store.for_each_nucleus_in_rows(y0, y1, [&](std::int64_t id, const NucleusRecord& nucleus) {
    for (const PixelRun& run : pixel_runs(nucleus.contour)) {
      if (run.x0 < 0 || run.x0 >= run.x1 || run.x1 > grid_width)
        throw Error(ErrorKind::mismatch,
                    fmt::format("the results are damaged: nucleus {} leaves the slide; run again", id));
      if (run.y < y0 || run.y >= y1 || run.y % step != 0) continue;
      const auto x0 = static_cast<std::int32_t>((run.x0 + step - 1) >> level.shift);
      const auto x1 = static_cast<std::int32_t>((run.x1 + step - 1) >> level.shift);
      if (x0 == x1) continue;
      const LabelRun part{static_cast<std::int32_t>((run.y >> level.shift) - band_y), x0, x1,
                          static_cast<std::uint32_t>(id)};
      for (std::int64_t column = x0 / kLabelTileSide; column <= (x1 - 1) / kLabelTileSide; ++column)
        tiles[static_cast<std::size_t>(column)].push_back(part);
    }
  });
}

/// What packs tiles, a packer a thread. A tile without nuclei is packed once: that saves most of the time on a slide
/// that is mostly glass.
struct Packers {
  explicit Packers(ThreadBudget& budget) : threads(budget), each(static_cast<std::size_t>(budget.all())) {
    each[0].pack({}, 0, empty);
  }

  ThreadBudget& threads;
  std::vector<LabelTilePacker> each;
  std::vector<std::byte> empty;
};

void write_level(const ResultStore& store, const TiffWriter& writer, Packers& packers, const Level& level,
                 std::int64_t grid_width, const std::function<void(std::int64_t rows)>& written) {
  const auto columns = static_cast<std::size_t>((level.width + kLabelTileSide - 1) / kLabelTileSide);
  std::vector<std::vector<LabelRun>> tiles(columns);
  std::vector<std::vector<std::byte>> packed(columns);
  for (std::int64_t band_y = 0; band_y < level.height; band_y += kLabelTileSide) {
    collect_runs(store, level, grid_width, band_y, tiles);
    on_threads(packers.threads, columns, [&](std::size_t column, int thread) {
      if (!tiles[column].empty())
        packers.each[static_cast<std::size_t>(thread)].pack(
            tiles[column], static_cast<std::int64_t>(column) * kLabelTileSide, packed[column]);
    });
    for (std::size_t column = 0; column < columns; ++column) {
      const std::uint32_t tile = TIFFComputeTile(writer.get(), static_cast<std::uint32_t>(column * kLabelTileSide),
                                                 static_cast<std::uint32_t>(band_y), 0, 0);
      std::vector<std::byte>& bytes = tiles[column].empty() ? packers.empty : packed[column];
      writer.check(TIFFWriteRawTile(writer.get(), tile, bytes.data(), static_cast<tmsize_t>(bytes.size())) >= 0);
    }
    written(std::min(kLabelTileSide, level.height - band_y));
  }
  writer.check(TIFFWriteDirectory(writer.get()) == 1);
}

}  // namespace

void export_labels(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options) {
  const RunInfo info = store.info();
  const std::vector<Level> levels = pyramid(info.width, info.height);
  std::int64_t bytes = 0;
  double area = 0, done = 0;
  for (const Level& level : levels) {
    bytes += (level.width + kLabelTileSide) * (level.height + kLabelTileSide) * 4;
    area += static_cast<double>(level.width * level.height);
  }

  AtomicFile output(file);
  TiffWriter writer(output, bytes > kClassicLimit);
  Packers packers(*options.threads);
  for (const Level& level : levels) {
    set_tags(writer, info, level, levels.size());
    write_level(store, writer, packers, level, info.width, [&](std::int64_t rows) {
      done += static_cast<double>(level.width * rows);
      if (options.on_progress) options.on_progress(done / area);
    });
  }
  writer.close();
  output.commit();
}

}  // namespace starpath::io
