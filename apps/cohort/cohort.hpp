// The cohort of a study: from its slides to tables, branches and a heat map.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "apps/cohort/branches.hpp"
#include "apps/cohort/group_table.hpp"
#include "statistics/linkage.hpp"

namespace starpath::apps {

struct CohortArguments {
  std::filesystem::path study;
  std::vector<std::string> features = {"basic"};
  std::vector<std::string> values = {};  ///< empty: usual_values
  std::size_t k = 0;                     ///< branches; 0: by the silhouette
  Linkage linkage = Linkage::ward;
  std::string group = "group";  ///< column of the list
  std::int64_t permutations = 10'000;
  std::uint64_t seed = 1;
};

struct CohortOutcome {
  io::Cohort cohort;
  Branches branches;
  GroupTable groups;
  std::int64_t slides = 0, nuclei = 0;       ///< of the patients
  std::vector<std::string> notes;            ///< what is left out or doubtful, a line each
  std::vector<std::filesystem::path> files;  ///< written
};

/// Writes the cohort into study.sqlite, and slides.csv, regions.csv, patients.csv and heatmap.svg beside it: the tables
/// first, so that study.sqlite never knows of what is not there. `on_phase` hears what is being done. Throws
/// Error{input} for a study without a slide that is done, Error{usage} for names that are not there and for more
/// branches than patients; nothing is written then.
CohortOutcome make_cohort(const CohortArguments& arguments, const std::function<void(const std::string&)>& on_phase);

}  // namespace starpath::apps
