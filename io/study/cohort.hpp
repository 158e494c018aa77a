// The patients of a study: tables of study.sqlite that are there only after `starpath cohort`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/sqlite.hpp"
#include "io/study/feature_summary.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {

/// Nuclei of one class. Those out of range are counted among the others too.
struct ClassNuclei {
  std::int64_t nuclei = 0, out_of_range = 0;
};

/// A patient, or a slide that no patient was said of.
struct StudyPatient {
  std::string name{};                  // the patient's, or the folder of the slide
  std::string group{};                 // of all its slides; empty: none
  std::vector<std::int64_t> slides{};  // numbers of those that are done, in order; at least one
  std::int64_t nuclei = 0;
  std::optional<double> analysed_mm2;          // nothing unless it is known of every slide
  std::vector<FeatureSummary> features = {};   // over all nuclei of its slides together
  std::vector<std::int64_t> cluster_nuclei{};  // by cluster; empty: not known
  std::vector<ClassNuclei> class_nuclei{};     // by class; empty: not known
  std::int64_t branch = 0, place = 0;          // in the tree, from 1; 0: not part of it

  /// NaN where it is not known.
  double nuclei_per_mm2() const;
};

/// Two nodes of the tree of patients that become one. Places from 1 are patients; the node of merge i, from 1, has the
/// number of places + i.
struct PatientMerge {
  std::int64_t first, second;
  double height;
};

struct Cohort {
  std::string about;                   // JSON: how it was made (docs/cohort.md)
  std::vector<StudyPatient> patients;  // in the order of their first slides
  std::vector<PatientMerge> tree = {};
};

bool has_cohort(const Database& database);

/// Makes its tables, which are not there.
void make_cohort_tables(Database& database);
void put_cohort(StudyTransaction& change, const Cohort& cohort);
void remove_cohort(StudyTransaction& change);

/// Nothing without the tables.
std::optional<Cohort> read_cohort(const Database& database);

}  // namespace starpath::io
