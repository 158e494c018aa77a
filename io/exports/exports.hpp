// Files that other tools open, made from a finished ResultStore. Each is written to a temporary name in the same folder
// and renamed, and depends on the accepted nuclei only: the same nuclei give the same bytes.
#pragma once
#include <array>
#include <filesystem>

#include "io/exports/export.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// QuPath detections with measurements, level-0 coordinates.
void export_geojson(const ResultStore& store, const std::filesystem::path& file);
/// One row a nucleus, RFC 4180, header first.
void export_csv(const ResultStore& store, const std::filesystem::path& file);
/// Tiled, pyramidal 32-bit label TIFF (BigTIFF when needed) on the working grid, nearest-neighbour levels, deflate.
void export_labels(const ResultStore& store, const std::filesystem::path& file);
/// RGB picture of the analysed region with the outlines drawn, reduced so that its longer side is at most `max_side`
/// pixels. `slide` is the one the run read. Throws also as Slide::read, and Error{usage} when max_side < 1.
void export_overlay(const ResultStore& store, const Slide& slide, const std::filesystem::path& file,
                    int max_side = 8192);

/// What they are made from.
struct Nuclei {
  const ResultStore& store;
  const Slide& slide;
};

/// Every export of nuclei, in the order in which they are written.
inline constexpr std::array<Export<Nuclei>, 4> kNucleiExports = {{
    {"geojson", "nuclei.geojson", [](const auto& from, const auto& file) { export_geojson(from.store, file); }},
    {"csv", "nuclei.csv", [](const auto& from, const auto& file) { export_csv(from.store, file); }},
    {"labels", "labels.tif", [](const auto& from, const auto& file) { export_labels(from.store, file); }},
    {"overlay", "overlay.png",
     [](const auto& from, const auto& file) { export_overlay(from.store, from.slide, file); }},
}};

}  // namespace starpath::io
