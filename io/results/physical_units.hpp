// Which features of a nucleus are lengths and areas, and what they are in micrometres.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace starpath::io {

/// A feature that is a length or an area in working pixels.
struct PhysicalFeature {
  std::size_t feature;  // its number among the names
  int dimension;        // 1: length, 2: area
  std::string column;   // of tables: "nucleus_area_um2", "nucleus_perimeter_um"
  std::string title;    // for people: "Area um^2", "Perimeter um", "Cytoplasm area um^2"

  /// In micrometres or their square, of working pixels of `mpp` micrometres; NaN when mpp is 0: unknown.
  double physical(double pixels, double mpp) const;
};

/// Those whose name ends in _area, _perimeter, _axis or _diameter, in the order of the names.
std::vector<PhysicalFeature> physical_features(const std::vector<std::string>& names);

}  // namespace starpath::io
