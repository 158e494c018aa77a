// Where a slide has tissue: regions of cells on a coarse grid.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/outlines/grid_regions.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// Side of a cell in pixels of the grid. At 8 um a pixel it is as long as a cell of the segmentation, 256 pixels of
/// 0.5 um.
inline constexpr int kTissueCell = 16;

struct TissueOptions {
  int glass = 220;         ///< a pixel that is brighter in R, G and B is glass
  double least_mm2 = 0.1;  ///< smaller regions are left out
};

/// The tissue of a slide: cells of its grid that hang together.
struct Tissue {
  std::int64_t width = 0, height = 0;              ///< of the grid
  double scale = 0;                                ///< level-0 pixels to a pixel of the grid
  double pixel_mm2 = 0;                            ///< area of a pixel of the grid
  std::int64_t slide_width = 0, slide_height = 0;  ///< level-0 pixels
  std::vector<GridRegion> regions;

  /// Area of the region within the slide.
  double mm2(const GridRegion& region) const;
  /// Area of all regions.
  double mm2() const;
};

/// Looks at the slide at 8 um a pixel, or at the coarsest resolution that WorkingSlide has. A cell is tissue unless at
/// least 90 % of its pixels are glass, as what cannot be read is. `mpp`: micrometres a level-0 pixel. Throws as
/// WorkingSlide.
Tissue find_tissue(const Slide& slide, double mpp, const TissueOptions& options);

/// What a mask holds as its title.
inline constexpr const char* kTissueMaskTitle = "Tissue, by starpath tissue";

/// GeoJSON: an annotation a region, of class "Tissue". The caller commits the file. Throws WriteError.
void write_tissue_regions(const Tissue& tissue, AtomicFile& file);

/// Whether a file is such GeoJSON, and no program has saved it again: that adds ids.
bool is_tissue_regions(const std::filesystem::path& file);

/// PNG of the whole grid: white where there is tissue. The caller commits the file. Throws as PngWriter.
void write_tissue_mask(const Tissue& tissue, AtomicFile& file);

/// Whether a file is such a PNG, by its title.
bool is_tissue_mask(const std::filesystem::path& file);

}  // namespace starpath::io
