// Files that other tools open, made from the labelled fields of a finished run. Each is written to a temporary name in
// the same folder and renamed, and depends on the decisions only: the same decisions give the same bytes.
#pragma once
#include <array>
#include <filesystem>
#include <vector>

#include "io/exports/export.hpp"
#include "io/exports/export_options.hpp"
#include "io/exports/exports.hpp"
#include "io/results/field_store.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// The decisions of a run. `side` is the side of a whole field in working pixels.
struct FieldMap {
  RunInfo info;
  int side;
  FieldLabels labels;
  std::vector<FieldRecord> fields;  // by index

  std::int64_t columns() const { return (info.width + side - 1) / side; }
  std::int64_t rows() const { return (info.height + side - 1) / side; }
  const FieldLabel& label_of(const FieldRecord& field) const { return labels[static_cast<std::size_t>(field.label)]; }
};

/// The fields in the order of their places on the slide's grid, row by row. A place whose field was not analysed is
/// null.
std::vector<const FieldRecord*> fields_by_place(const FieldMap& map);

/// One row a field, RFC 4180, header first, level-0 pixels.
void export_field_csv(const FieldMap& map, const std::filesystem::path& file);
/// QuPath annotations: a polygon for each region of neighbouring fields (along edges) with one label, level-0 pixels.
/// Fields out of range are regions of their own, whatever their label.
void export_field_regions(const FieldMap& map, const std::filesystem::path& file);
/// PNG with up to 16x16 pixels a field. A field has the colour of its label, and a paler one where the confidence is
/// low. A field that is out of range has the colour of kOutOfRange, and one that failed is black. Places without a
/// field are white.
void export_field_map(const FieldMap& map, const std::filesystem::path& file);
/// PNG of the slide in which tissue is tinted in the colours of the map, and fields that are out of range are hatched.
/// It is reduced until its longer side has at most `max_side` pixels, but by kMostScale at most. Throws also as
/// Slide::read.
void export_field_overlay(const FieldMap& map, const Slide& slide, const std::filesystem::path& file,
                          int max_side = 2048, const ExportProgress& on_progress = {});

/// Whether a file is such an export, of this version or of one since 0.1.0. They never throw but for lack of memory.
bool is_field_csv(const std::filesystem::path& file);
bool is_field_regions(const std::filesystem::path& file);
bool is_field_map(const std::filesystem::path& file);

/// The source of these exports.
struct Fields {
  const FieldMap& map;
  const Slide& slide;
  ExportProgress on_progress{};  // of the overlay, which reads the slide; the others take moments
};

/// Every export of fields, in the order in which they are written.
inline constexpr std::array<Export<Fields>, 4> kFieldExports = {{
    {"map", "map.png", [](const auto& from, const auto& file) { export_field_map(from.map, file); }, is_field_map},
    {"overlay", "overlay.png",
     [](const auto& from, const auto& file) {
       export_field_overlay(from.map, from.slide, file, 2048, from.on_progress);
     },
     is_overlay_export},
    {"geojson", "regions.geojson", [](const auto& from, const auto& file) { export_field_regions(from.map, file); },
     is_field_regions},
    {"csv", "fields.csv", [](const auto& from, const auto& file) { export_field_csv(from.map, file); }, is_field_csv},
}};

}  // namespace starpath::io
