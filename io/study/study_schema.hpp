// The tables of study.sqlite (docs/study.md): made, recognised and brought up to date.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/own_file.hpp"
#include "base/sqlite.hpp"
#include "io/results/guard.hpp"

namespace starpath::io {

/// A slide is a unit; its number is that of its row in the table `slides`.
extern const Guard kStudyGuard;
// Numbers of its parts in the table `checksums`.
inline constexpr std::int64_t kStudyPart = -1, kStudyClustersPart = -2, kStudyClassesPart = -3, kCohortPart = -4,
                              kStudyRunsPart = -5, kMemberClustersPart = -6;

// In a transaction of the caller:

/// Makes the tables that every study has, in an empty database.
void make_study_tables(Database& database);
/// Makes the table of runs, unless it is there.
void make_run_table(Database& database);

/// Whether a file is a study of any version, whole or damaged, by the number in SQLite's header.
bool is_study_file(const std::filesystem::path& file);
inline constexpr NamedOutput kStudyOutput = {"study.sqlite", {"starpath", is_study_file}};

/// Error{mismatch} unless it is a study of a layout that is known, with the tables and columns that it was made with,
/// without triggers and views. Only reads.
void check_study_tables(const Database& database);

/// Error{mismatch} that names the first slide or part whose rows are not those that were written, or what SQLite finds
/// damaged. Returns how many slides have a checksum: all, or none in studies of layouts 1 and 2. Reads the whole file
/// in one transaction, so another process may be writing it. Changes nothing. The caller has called
/// check_study_tables().
std::int64_t check_study_contents(Database& database);

struct VerifiedStudy {
  std::int64_t slides = 0, guarded = 0;  // how many there are, and how many have a checksum
};
/// Checks the study.sqlite `file` as opening it does. Error{mismatch} also when no slide has a checksum.
VerifiedStudy verify_study(const std::string& file);

/// Layout 1 (0.1.0) had no regions and no clusters, layout 2 (0.2.0) no checksums.
std::int64_t study_layout(const Database& database);
/// Adds what later layouts have. One transaction. The caller has checked what the study holds.
void bring_up_to_date(Database& database);

}  // namespace starpath::io
