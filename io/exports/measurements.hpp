// Which measurements of a nucleus an export shows, and under which names.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/exports/export_options.hpp"
#include "io/results/nucleus_record.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

/// What people use first: size, shape, and mean and deviation of the stains in the nucleus and around it.
inline constexpr std::array<std::string_view, 20> kBasicFeatures = {
    "nucleus_area",
    "nucleus_perimeter",
    "nucleus_major_axis",
    "nucleus_minor_axis",
    "nucleus_eccentricity",
    "nucleus_extent",
    "nucleus_circularity",
    "cytoplasm_area",
    "nucleus_haematoxylin_mean",
    "nucleus_haematoxylin_std",
    "nucleus_eosin_mean",
    "nucleus_eosin_std",
    "nucleus_gray_mean",
    "nucleus_gray_std",
    "cytoplasm_haematoxylin_mean",
    "cytoplasm_haematoxylin_std",
    "cytoplasm_eosin_mean",
    "cytoplasm_eosin_std",
    "cytoplasm_gray_mean",
    "cytoplasm_gray_std",
};

/// A feature of a nucleus in its own unit, or a length or an area in micrometres.
struct Measurement {
  std::size_t feature;  // number among Measurements::features
  double factor;        // from the feature's unit to this one; NaN: the resolution is unknown
  std::string column;   // name in tables
  std::string title;    // name for people

  double of(const NucleusRecord& nucleus) const { return nucleus.features[feature] * factor; }
};

struct Measurements {
  std::vector<std::string> features;  // to be read of each nucleus
  std::vector<Measurement> columns;   // of tables, the same at every resolution: in micrometres, then in own units
  std::vector<Measurement>
      shown;  // in GeoJSON: each measurement once, in pixels where micrometres are unknown; with "all" as in tables
};

/// Those of `wanted` (ExportOptions::features) that the run has, in the order of its features. Throws Error{usage} for
/// a name that is no feature of the run.
Measurements measurements_of(const RunInfo& info, const std::vector<std::string>& wanted);

}  // namespace starpath::io
