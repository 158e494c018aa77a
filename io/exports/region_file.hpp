// Regions of a grid of cells over a slide, in a GeoJSON file that QuPath opens.
#pragma once
#include <cstdint>
#include <string>

#include "base/atomic_file.hpp"
#include "io/outlines/grid_regions.hpp"
#include "io/results/field_labels.hpp"

namespace starpath::io {

/// A cell is `side` pixels of a grid wide, and each of these pixels is `scale` level-0 pixels wide. The last cells may
/// reach beyond the slide.
struct CellGrid {
  std::int64_t side;
  double scale;
  std::int64_t slide_width, slide_height;
};

/// How coordinates are written: with one decimal, or with as many decimals as tell the number.
enum class Decimals { one, as_needed };

/// How every such file begins.
inline constexpr const char* kRegionFileStart = R"({"type":"FeatureCollection","features":[)";

/// Writes regions as annotations: polygons in level-0 pixels, cut at the border of the slide. The caller commits the
/// file after finish(). Throws as AtomicFile::write. Not thread-safe.
class RegionFile {
 public:
  RegionFile(AtomicFile& file, const CellGrid& grid, Decimals decimals);

  /// `label` gives the annotation its class: title and colour. `measurements` are members of a JSON object, such as
  /// "\"fields\":3"; an empty text leaves the measurements out.
  void add(const GridRegion& region, const FieldLabel& label, const std::string& measurements = "");
  void finish();

 private:
  void append_ring(std::string& text, const Contour& ring) const;

  AtomicFile& file_;
  const CellGrid grid_;
  const Decimals decimals_;
  const char* separator_ = "\n";
};

}  // namespace starpath::io
