// From names to columns.
#include "io/exports/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "base/error.hpp"
#include "io/results/physical_units.hpp"

namespace starpath::io {
namespace {

bool says(const std::vector<std::string>& wanted, std::string_view word) {
  return std::ranges::find(wanted, word) != wanted.end();
}

std::vector<std::string> chosen(const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  if (says(wanted, "all")) return names;
  std::set<std::string, std::less<>> set(wanted.begin(), wanted.end());
  if (set.erase("basic") > 0) set.insert(kBasicFeatures.begin(), kBasicFeatures.end());
  std::vector<std::string> found;
  std::ranges::copy_if(names, std::back_inserter(found), [&](const std::string& name) { return set.contains(name); });
  return found;
}

}  // namespace

Measurements measurements_of(const RunInfo& info, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted)
    if (name != "basic" && name != "all" && !says(info.feature_names, name))
      throw Error(ErrorKind::usage, fmt::format("the results have no feature '{}'; say basic, all, or names of "
                                                "features, such as nucleus_area (docs/features.md)",
                                                name));
  Measurements result;
  result.features = chosen(info.feature_names, wanted);
  std::set<std::size_t> in_micrometres;
  for (const PhysicalFeature& feature : physical_features(result.features)) {
    result.columns.push_back({feature.feature, feature.physical(1, info.mpp), feature.column, feature.title});
    if (info.mpp > 0) in_micrometres.insert(feature.feature);
  }
  result.shown = result.columns;
  const bool twice = says(wanted, "all");
  for (std::size_t i = 0; i < result.features.size(); ++i) {
    const Measurement own{i, 1, result.features[i], result.features[i]};
    result.columns.push_back(own);
    if (twice || !in_micrometres.contains(i)) result.shown.push_back(own);
  }
  std::erase_if(result.shown, [](const Measurement& each) { return std::isnan(each.factor); });
  return result;
}

}  // namespace starpath::io
