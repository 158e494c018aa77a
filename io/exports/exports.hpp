// Files that other tools open, made from a finished ResultStore. Each is written to a temporary name in the same folder
// and renamed, and depends on the accepted nuclei only: the same nuclei give the same bytes.
#pragma once
#include <array>
#include <filesystem>

#include "io/exports/export.hpp"
#include "io/exports/export_options.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// QuPath detections with measurements, level-0 coordinates.
void export_geojson(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options = {},
                    Compression compression = Compression::none);
/// One row a nucleus, RFC 4180, header first.
void export_csv(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options = {},
                Compression compression = Compression::none);
/// GeoParquet 1.1: one row a nucleus, the columns of CSV and `geometry`, the outline that GeoJSON has.
void export_parquet(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options = {});
/// Tiled, pyramidal 32-bit label TIFF (BigTIFF when needed) on the working grid, nearest-neighbour levels, deflate.
void export_labels(const ResultStore& store, const std::filesystem::path& file, const ExportOptions& options = {});
/// The longer side of the overlay in pixels. At 8192 its PNG took 80 MB, and half of the processor
/// time of the default exports (bench/results/end-to-end.md).
inline constexpr int kOverlaySide = 4096;
/// RGB picture of the analysed region with the outlines drawn. It is reduced until its longer side has at most
/// `max_side` pixels, but by kMostScale at most. `slide` is the one the run read; what cannot be read of it is
/// gray, and among its warnings. Throws also Error{usage} when max_side < 1.
void export_overlay(const ResultStore& store, const Slide& slide, const std::filesystem::path& file,
                    int max_side = kOverlaySide, const ExportOptions& options = {});

/// RGB picture of the analysed region with the outlines drawn, at the resolution of the analysis: a tiled TIFF (BigTIFF
/// when needed) whose reduced pages follow the first, JPEG, for viewers of slides. `slide` is as above. Memory grows
/// with the width of the slide only. Throws as export_overlay.
void export_overlay_pyramid(const ResultStore& store, const Slide& slide, const std::filesystem::path& file,
                            const ExportOptions& options = {});

/// Whether a file is such an export, of this version or of one since 0.1.0: GeoJSON by its member "starpath", tables by
/// their columns, Parquet by its footer, pictures by their title. Exports of 0.1.0 and pictures of 0.2.0 say less; how
/// they are known is written where these are defined. They never throw but for lack of memory.
bool is_geojson_export(const std::filesystem::path& file);
bool is_csv_export(const std::filesystem::path& file);
bool is_parquet_export(const std::filesystem::path& file);
bool is_labels_export(const std::filesystem::path& file);
bool is_overlay_export(const std::filesystem::path& file);
bool is_overlay_pyramid_export(const std::filesystem::path& file);

/// The title of overlay.png, of nuclei as of fields.
inline constexpr const char* kOverlayTitle = "Overlay, by starpath";

/// The source of these exports. `slide` may be null for exports that do not read it.
struct Nuclei {
  const ResultStore& store;
  const Slide* slide;
  ExportOptions options;
};

/// Every export of nuclei, in the order in which they are written.
inline constexpr std::array<Export<Nuclei>, 8> kNucleiExports = {{
    {.name = "geojson",
     .file = "nuclei.geojson",
     .write = [](const auto& from, const auto& file) { export_geojson(from.store, file, from.options); },
     .is_one = is_geojson_export},
    {.name = "geojson.gz",
     .file = "nuclei.geojson.gz",
     .write = [](const auto& from,
                 const auto& file) { export_geojson(from.store, file, from.options, Compression::gzip); },
     .is_one = is_geojson_export,
     .unless_said = false},
    {.name = "csv",
     .file = "nuclei.csv",
     .write = [](const auto& from, const auto& file) { export_csv(from.store, file, from.options); },
     .is_one = is_csv_export},
    {.name = "csv.gz",
     .file = "nuclei.csv.gz",
     .write = [](const auto& from, const auto& file) { export_csv(from.store, file, from.options, Compression::gzip); },
     .is_one = is_csv_export,
     .unless_said = false},
    {.name = "parquet",
     .file = "nuclei.parquet",
     .write = [](const auto& from, const auto& file) { export_parquet(from.store, file, from.options); },
     .is_one = is_parquet_export,
     .unless_said = false},
    {.name = "labels",
     .file = "labels.tif",
     .write = [](const auto& from, const auto& file) { export_labels(from.store, file, from.options); },
     .is_one = is_labels_export},
    {.name = "overlay",
     .file = "overlay.png",
     .write = [](const auto& from,
                 const auto& file) { export_overlay(from.store, *from.slide, file, kOverlaySide, from.options); },
     .is_one = is_overlay_export,
     .reads_slide = true},
    {.name = "overlay.tif",
     .file = "overlay.tif",
     .write = [](const auto& from,
                 const auto& file) { export_overlay_pyramid(from.store, *from.slide, file, from.options); },
     .is_one = is_overlay_pyramid_export,
     .unless_said = false,
     .reads_slide = true},
}};

}  // namespace starpath::io
