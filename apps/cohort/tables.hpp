// Slides, regions and patients as tables of comma-separated values.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/cohort/nucleus_shares.hpp"
#include "io/study/cohort.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

/// What the tables are made of. `rows` are all slides of the study.
struct CohortTables {
  const std::vector<io::StudyRow>& rows;
  const NucleusShares& shares;
  const std::vector<std::string>& features;  // with mean, q1, median, q3 each
  const std::string& group_column;           // label_of
};

/// Error{output} if a file that write_tables() would replace or remove is not one that it wrote.
void check_tables_are_ours(const std::filesystem::path& folder);

/// Writes slides.csv (slides that are done), regions.csv (their regions, if there are any; else one that is there goes)
/// and patients.csv into the folder. Numbers are written as short as they read back; what is not known is empty.
/// Returns the files. Throws WriteError.
std::vector<std::filesystem::path> write_tables(const std::filesystem::path& folder, const CohortTables& tables,
                                                const std::vector<io::StudyPatient>& patients);

}  // namespace starpath::apps
