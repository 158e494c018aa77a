// Units, and the ends of histograms.
#include "pages/study/shown_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/results/physical_units.hpp"

namespace starpath::pages {
namespace {

constexpr double kWhisker = 1.5;  // of the quartiles' distance, beyond which a histogram does not look

void find_ends(const std::vector<io::StudyRow>& rows, const SlideResolutions& mpps, ShownFeature& feature) {
  feature.low = std::numeric_limits<double>::infinity();
  feature.high = -feature.low;
  double least_quartile = feature.low;
  for (const io::StudyRow& row : rows) {
    const auto mpp = mpps.find(row.number);
    const io::FeatureSummary* const summary = summary_of(row, feature.name);
    if (mpp == mpps.end() || summary == nullptr) continue;
    const double factor = feature.factor(mpp->second), beyond = kWhisker * (summary->q3 - summary->q1);
    least_quartile = std::min(least_quartile, summary->q1);
    feature.low = std::min(feature.low, factor * (summary->q1 - beyond));
    feature.high = std::max(feature.high, factor * (summary->q3 + beyond));
  }
  if (feature.low > feature.high) feature.low = feature.high = 0;     // of no nucleus
  if (least_quartile >= 0) feature.low = std::max(feature.low, 0.0);  // what is never below 0 has no whiskers there
  const double size = std::max(std::abs(feature.low), std::abs(feature.high));
  if (feature.high - feature.low <= 1e-9 * size) feature.high += std::max(1.0, size);  // but for rounding one value
}

}  // namespace

double ShownFeature::factor(double mpp) const { return dimension == 0 ? 1 : std::pow(mpp, dimension); }

std::vector<ShownFeature> shown_features(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& names,
                                         const SlideResolutions& mpps) {
  std::vector<ShownFeature> features;
  for (const std::string& name : names) features.push_back({name, name});
  if (std::ranges::all_of(mpps, [](const auto& each) { return each.second > 0; }))
    for (const io::PhysicalFeature& each : io::physical_features(names)) {
      features[each.feature].title = each.title;
      features[each.feature].dimension = each.dimension;
    }
  for (ShownFeature& feature : features) find_ends(rows, mpps, feature);
  return features;
}

const io::FeatureSummary* summary_of(const io::StudyRow& row, const std::string& feature) {
  const auto found = std::ranges::find(row.summary.features, feature, &io::FeatureSummary::feature);
  return found == row.summary.features.end() || found->nuclei == 0 ? nullptr : &*found;
}

}  // namespace starpath::pages
