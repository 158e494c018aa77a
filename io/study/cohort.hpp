// The patients of a study: tables of study.sqlite that are there only after `starpath cohort`. The Python package makes
// and fills them (python/starpath/cohort/store.py).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {

/// A patient, or a slide that no patient was said of.
struct StudyPatient {
  std::string name;         // the patient's, or the folder of the slide
  std::string group;        // of all its slides; empty: none
  std::int64_t slides;      // that are done
  std::int64_t nuclei;      // of these slides
  double nuclei_per_mm2;    // NaN where it is not known
  std::int64_t branch = 0;  // of the tree, from 1; 0: not part of it
  std::int64_t place = 0;   // in the tree, from 1; 0: not part of it
};

struct Cohort {
  std::string about;                   // JSON: how it was made (docs/cohort.md)
  std::vector<StudyPatient> patients;  // in the order of their first slides
  bool has_tree = false;
};

/// The tables of a cohort. Those of cohorts from before 0.2.0's classes lack the fifth.
inline constexpr TableColumns kCohortColumns[] = {
    {"patients", "patient,name,group,slides,nuclei,analysed_mm2,nuclei_per_mm2,branch,place"},
    {"patient_slides", "slide,patient"},
    {"patient_features", "patient,feature,nuclei,mean,q1,median,q3"},
    {"patient_clusters", "patient,cluster,nuclei"},
    {"patient_classes", "patient,class,nuclei,out_of_range"},
    {"patient_tree", "merge,first,second,height"}};

/// Nothing without the tables.
std::optional<Cohort> read_cohort(const Database& database);
/// Takes the tables away, as what they were made of has changed.
void remove_cohort(StudyTransaction& change);

}  // namespace starpath::io
