// Look-ups in the rows of a study.
#include "pages/study/study_columns.hpp"

#include <algorithm>

#include "io/exports/measurements.hpp"
#include "io/results/run_key.hpp"

namespace starpath::pages {

std::string label_of(const io::StudySlide& slide, std::string_view column) {
  if (column == "group") return slide.group;
  for (const auto& [name, value] : slide.labels)
    if (name == column) return value;
  return "";
}

std::vector<std::string> study_features(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& wanted) {
  io::RunInfo info{};
  for (const io::StudyRow& row : rows) {
    if (row.summary.state != io::SlideState::done || row.summary.features.empty()) continue;
    for (const io::FeatureSummary& each : row.summary.features) info.feature_names.push_back(each.feature);
    break;
  }
  std::vector<std::string> names = io::measurements_of(info, wanted).features;
  std::ranges::stable_sort(names, {}, [](const std::string& name) {
    return std::ranges::find(io::kBasicFeatures, name) - io::kBasicFeatures.begin();
  });
  return names;
}

}  // namespace starpath::pages
