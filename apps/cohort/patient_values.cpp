// From names to numbers.
#include "apps/cohort/patient_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "base/error.hpp"

namespace starpath::apps {
namespace {

using Reading = std::function<double(const io::StudyPatient&)>;

/// Of the feature at a place among a patient's.
Reading statistic(std::size_t place, double io::FeatureSummary::*which) {
  return [place, which](const io::StudyPatient& patient) { return patient.features[place].*which; };
}

std::map<std::string, Reading, std::less<>> readings_of(const std::vector<std::string>& features,
                                                        const NucleusShares& shares) {
  std::map<std::string, Reading, std::less<>> readings;
  readings["nuclei_per_mm2"] = [](const io::StudyPatient& patient) { return patient.nuclei_per_mm2(); };
  for (std::size_t i = 0; i < features.size(); ++i) {
    readings[features[i] + "_mean"] = statistic(i, &io::FeatureSummary::mean);
    readings[features[i] + "_q1"] = statistic(i, &io::FeatureSummary::q1);
    readings[features[i] + "_median"] = statistic(i, &io::FeatureSummary::median);
    readings[features[i] + "_q3"] = statistic(i, &io::FeatureSummary::q3);
  }
  for (std::size_t i = 0; i < shares.columns().size(); ++i)
    readings[shares.columns()[i]] = [&shares, i](const io::StudyPatient& patient) { return shares.of(patient)[i]; };
  return readings;
}

}  // namespace

std::vector<std::string> usual_values(const std::vector<std::string>& features, const NucleusShares& shares) {
  std::vector<std::string> names = {"nuclei_per_mm2"};
  for (const std::string& feature : features) names.push_back(feature + "_median");
  for (const std::string& share : shares.cluster_columns()) names.push_back(share);
  return names;
}

std::vector<PatientValue> values_of(const std::vector<io::StudyPatient>& patients,
                                    const std::vector<std::string>& features, const NucleusShares& shares,
                                    const std::vector<std::string>& names) {
  const auto readings = readings_of(features, shares);
  std::vector<PatientValue> values;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    if (!taken.insert(name).second) continue;
    const auto found = readings.find(name);
    if (found == readings.end())
      throw Error(ErrorKind::usage,
                  fmt::format("--values {}: patients have no such value; there are nuclei_per_mm2, and _mean, _q1, "
                              "_median and _q3 behind a feature of --features{}{}",
                              name, shares.columns().empty() ? "" : ", and ", fmt::join(shares.columns(), ", ")));
    values.push_back({name, {}});
    for (const io::StudyPatient& patient : patients) values.back().numbers.push_back(found->second(patient));
  }
  return values;
}

}  // namespace starpath::apps
