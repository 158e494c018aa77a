// The numbers that patients are compared by. Pure.
#pragma once
#include <string>
#include <vector>

#include "apps/cohort/nucleus_shares.hpp"
#include "io/study/cohort.hpp"

namespace starpath::apps {

/// One number of each of some patients, under the name of its column in patients.csv. NaN: not known.
struct PatientValue {
  std::string name;
  std::vector<double> numbers;
};

/// What is compared unless the user says: density, the median of each feature, the share of each cluster.
std::vector<std::string> usual_values(const std::vector<std::string>& features, const NucleusShares& shares);

/// Those of `names`: nuclei_per_mm2, FEATURE_mean, FEATURE_q1, FEATURE_median, FEATURE_q3, and the columns of shares.
/// `features` are those of each patient, in their order. Throws Error{usage} for another name.
std::vector<PatientValue> values_of(const std::vector<io::StudyPatient>& patients,
                                    const std::vector<std::string>& features, const NucleusShares& shares,
                                    const std::vector<std::string>& names);

}  // namespace starpath::apps
