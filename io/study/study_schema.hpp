// The tables of study.sqlite (docs/study.md): made, recognised and brought up to date.
#pragma once
#include <cstdint>

#include "base/sqlite.hpp"

namespace starpath::io {

/// Makes the tables that every study has, in an empty database. In a transaction of the caller's.
void make_study_tables(Database& database);
/// Makes the table of runs, unless it is there.
void make_run_table(Database& database);

/// Error{mismatch} unless it is a study of a layout that is known, with the tables and columns that it was made with.
/// Only reads.
void check_study_tables(const Database& database);

/// Layout 1 had no regions and no clusters.
std::int64_t study_layout(const Database& database);
/// Adds what later layouts have. One transaction.
void bring_up_to_date(Database& database);

}  // namespace starpath::io
