// A nucleus as results.sqlite holds it.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "io/outlines/contour.hpp"
#include "io/results/group_records.hpp"

namespace starpath::io {

/// What the tile that saw a nucleus says of it; the numbers are those of the column `role`.
enum class NucleusRole : int {
  none = 0,        // a neighbour's: never stored
  owned = 1,       // its centroid lies in the tile's core
  background = 2,  // likewise, but in a cell of glass: never accepted, kept so that a neighbour does not claim it
  candidate = 3,   // centroid just outside the core: accepted only if the neighbour has nothing there
};

/// One nucleus, in working pixels of the slide.
struct NucleusRecord {
  std::int64_t tile;
  std::int64_t first_x, first_y;  // first pixel in raster order
  std::int64_t x0, y0, x1, y1;    // bounding box, ends exclusive
  double centroid_x, centroid_y;  // of pixel centres: pixel (0, 0) has its centre at (0.5, 0.5)
  std::int32_t area;
  NucleusRole role;
  Contour contour;               // slide coordinates
  std::vector<double> features;  // as RunInfo::feature_names
  // Numbers from 1, of accepted nuclei only; 0: none.
  std::int32_t region = 0, cluster = 0;
  ClassOfNucleus classified = {};
};

/// What is read of nuclei; the rest is empty or 0: it costs time where it is not wanted.
enum class NucleusParts {
  measures,  // bounding box, centroid and area
  places,    // and first pixel, tile and role
  all,       // and outline
};

/// Gets each nucleus in turn; the record is valid during the call only.
using NucleusVisitor = std::function<void(std::int64_t id, const NucleusRecord&)>;

}  // namespace starpath::io
