// From the names of columns to features and factors.
#include "pipelines/classification/feature_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/exports/measurements.hpp"
#include "io/results/physical_units.hpp"

namespace starpath {

std::vector<std::string> feature_columns(const io::RunInfo& info, const std::vector<std::string>& wanted) {
  std::vector<std::string> columns = io::measurements_of(info, wanted).features;
  if (info.mpp > 0)
    for (const io::PhysicalFeature& feature : io::physical_features(columns)) columns[feature.feature] = feature.column;
  return columns;
}

ColumnReader::ColumnReader(const io::RunInfo& info, const std::string& results,
                           const std::vector<std::string>& columns) {
  const std::vector<io::PhysicalFeature> physical = io::physical_features(info.feature_names);
  for (const std::string& column : columns) {
    const auto measured = std::ranges::find(physical, column, &io::PhysicalFeature::column);
    if (measured != physical.end()) {
      if (!(info.mpp > 0))
        throw Error(ErrorKind::mismatch, fmt::format("{}: {} needs micrometres, and the resolution is unknown; segment "
                                                     "the slide with --mpp",
                                                     results, column));
      features_.push_back(info.feature_names[measured->feature]);
      factors_.push_back(measured->physical(1, info.mpp));
      continue;
    }
    if (std::ranges::find(info.feature_names, column) == info.feature_names.end())
      throw Error(
          ErrorKind::mismatch,
          fmt::format(
              "{}: has no feature '{}', which the model needs; segment the slide with --families that have it, by the "
              "starpath that the model is of",
              results, column));
    features_.push_back(column);
    factors_.push_back(1);
  }
  values_.resize(columns.size());
}

std::span<const double> ColumnReader::values(const io::NucleusRecord& nucleus) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = nucleus.features[i] * factors_[i];
  return values_;
}

void check_resolution(const io::RunInfo& info, const std::string& results, double mpp) {
  // Slides within 1 % of the working resolution are not resampled.
  constexpr double most = 0.03;
  const bool same = mpp > 0 ? info.mpp > 0 && std::abs(info.mpp / mpp - 1) <= most : !(info.mpp > 0);
  if (same) return;
  const auto text = [](double value) { return value > 0 ? fmt::format("{:.3g} um", value) : "an unknown size"; };
  throw Error(
      ErrorKind::mismatch,
      fmt::format("{}: its pixels are of {}, and {} was trained with; features do not compare: segment both at one "
                  "resolution (--mpp says that of a slide, --work-mpp that of the work)",
                  results, text(info.mpp), text(mpp)));
}

}  // namespace starpath
