// Files that other tools open, made from a finished ResultStore. Each is written to a temporary name in the same folder and renamed,
// and depends on the accepted nuclei only: the same nuclei give the same bytes.
#pragma once
#include <filesystem>

#include "io/result_store.hpp"
#include "io/working_slide.hpp"

namespace starpath::io {

/// QuPath detections with measurements, level-0 coordinates.
void export_geojson(const ResultStore& store, const std::filesystem::path& file);
/// One row a nucleus, RFC 4180, header first.
void export_csv(const ResultStore& store, const std::filesystem::path& file);
/// Tiled, pyramidal 32-bit label TIFF (BigTIFF when needed) on the working grid, nearest-neighbour levels, deflate.
void export_labels(const ResultStore& store, const std::filesystem::path& file);
/// RGB picture of the slide with the outlines drawn; whole slide reduced so that the longer side is at most `max_side`.
void export_overlay(const ResultStore& store, const WorkingSlide& slide, const std::filesystem::path& file,
                    int max_side = 8192);

}  // namespace starpath::io
