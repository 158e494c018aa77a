// Files that other tools open, made from the fields of a finished NBIA run. Each is written to a temporary name in the
// same folder and renamed, and depends on the decisions only: the same decisions give the same bytes.
#pragma once
#include <filesystem>
#include <vector>

#include "io/results/field_store.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// The decisions of a run. `side` is that of a whole field, working pixels.
struct FieldMap {
  RunInfo info;
  int side;
  std::vector<FieldRecord> fields;  // by index

  std::int64_t columns() const { return (info.width + side - 1) / side; }
  std::int64_t rows() const { return (info.height + side - 1) / side; }
};

/// Colour of a field in maps and regions; white when there is none.
Rgb field_colour(const FieldRecord* field);

/// Fields by their place on the slide's grid, row by row; null where a field was not analysed.
std::vector<const FieldRecord*> fields_by_place(const FieldMap& map);

/// One row a field, RFC 4180, header first, level-0 pixels.
void export_field_csv(const FieldMap& map, const std::filesystem::path& file);
/// QuPath annotations: a polygon for each region of neighbouring fields (along edges) with one label, level-0 pixels.
void export_field_regions(const FieldMap& map, const std::filesystem::path& file);
/// PNG of up to 16x16 pixels a field: green stroma-rich, orange stroma-poor, gray background, paler where the
/// confidence is low, black where a field failed, white where none was analysed.
void export_field_map(const FieldMap& map, const std::filesystem::path& file);
/// PNG of the slide with tissue tinted in the colours of the map, longer side at most `max_side` pixels. Throws also as
/// Slide::read.
void export_field_overlay(const FieldMap& map, const Slide& slide, const std::filesystem::path& file,
                          int max_side = 2048);

}  // namespace starpath::io
