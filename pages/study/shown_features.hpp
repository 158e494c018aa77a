// How a study's features are shown.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::pages {

/// A feature as it is shown: in micrometres where it can be.
struct ShownFeature {
  std::string name, title;   // title with its unit
  int dimension = 0;         // 1: length, 2: area, shown in micrometres; 0: in its own unit
  double low = 0, high = 0;  // of the histograms

  /// From the feature's own unit to the one that is shown, for working pixels of `mpp` micrometres.
  double factor(double mpp) const;
};

/// Micrometres of a working pixel by the slide's number; 0: not known.
using SlideResolutions = std::map<std::int64_t, double>;

/// The features `names` of the slides in `mpps`: in micrometres if the resolution of every one of them is known.
std::vector<ShownFeature> shown_features(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& names,
                                         const SlideResolutions& mpps);

/// What the study says of the feature on this slide; none where it says nothing or there is no nucleus.
const io::FeatureSummary* summary_of(const io::StudyRow& row, const std::string& feature);

}  // namespace starpath::pages
