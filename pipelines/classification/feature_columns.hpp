// Features of nuclei under the names of tables: in micrometres where that is known.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "io/results/nucleus_record.hpp"
#include "io/results/run_key.hpp"

namespace starpath {

/// The columns that `wanted` (ExportOptions::features) stands for: one a feature, in micrometres if it is a length or
/// an area and the resolution is known. Throws Error{usage} for an unknown feature.
std::vector<std::string> feature_columns(const io::RunInfo& info, const std::vector<std::string>& wanted);

/// Columns of one slide's nuclei.
class ColumnReader {
 public:
  /// Throws Error{mismatch} naming the results for a column that they do not have, or not at an unknown resolution.
  ColumnReader(const io::RunInfo& info, const std::string& results, const std::vector<std::string>& columns);

  /// What NucleusStore::for_each_nucleus_with is to read.
  const std::vector<std::string>& features() const { return features_; }
  /// The columns' values of a nucleus that was read so. Valid until the next call.
  std::span<const double> values(const io::NucleusRecord& nucleus);

 private:
  std::vector<std::string> features_;
  std::vector<double> factors_, values_;
};

/// Throws Error{mismatch} unless working pixels of `mpp` micrometres are those of the results; 0: unknown.
void check_resolution(const io::RunInfo& info, const std::string& results, double mpp);

}  // namespace starpath
