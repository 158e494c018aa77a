// Models as rows of numbers.
#include "pipelines/classification/nucleus_model.hpp"

#include <algorithm>

#include "base/lower_case.hpp"
#include "io/results/field_labels.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath {

bool is_reserved_class(const std::string& name) {
  return lower_case(name) == lower_case(std::string(io::kOutOfRange.title));
}

void NucleusModel::put_row(std::span<const double> values, std::span<std::int16_t> row) const {
  std::ranges::fill(row, std::int16_t{0});
  for (std::size_t f = 0; f < features.size(); ++f)
    row[f] = point_number(values[f], features[f].mean, features[f].deviation);
}

std::vector<std::int16_t> NucleusModel::sample_rows() const {
  const std::size_t numbers = features.size(), width = static_cast<std::size_t>(row_numbers());
  std::vector<std::int16_t> rows(samples() * width);
  for (std::size_t s = 0; s < samples(); ++s)
    std::copy_n(points.data() + s * numbers, numbers, rows.data() + s * width);
  return rows;
}

std::string model_digest(const NucleusModel& model) {
  io::Digest digest;
  digest.add(model_text(model));
  return digest.hex();
}

}  // namespace starpath
