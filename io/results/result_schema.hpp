// The tables of results.sqlite (docs/results.md): made, recognised and compared with a run.
#pragma once
#include <filesystem>
#include <string>

#include "base/own_file.hpp"
#include "base/sqlite.hpp"
#include "io/results/result_tables.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

/// Longest side of a grid and of a slide. Twice as much still is a 32-bit number, as outlines in half pixels want.
inline constexpr std::int64_t kMostSide = (std::int64_t{1} << 30) - 1;
/// Tiles or fields of a slide are fewer: their number is the upper half of an object's.
inline constexpr std::int64_t kMostUnits = std::int64_t{1} << 31;
/// Rows of 200 numbers fill pages of 4096 bytes badly: with these, files are a sixth smaller and commits a quarter
/// faster.
inline constexpr std::int64_t kPageBytes = 16384;

/// Makes the table `run`, stores key and info in it, and makes the pipeline's own tables in an empty database. One
/// transaction. Error{internal} when a feature has the name of another column.
void create_result_schema(Database& database, const RunKey& key, const RunInfo& info, const ResultTables& tables);

/// Whether a file is a results file of any version, whole or damaged, by the number in SQLite's header.
bool is_results_file(const std::filesystem::path& file);
inline constexpr NamedOutput kResultsOutput = {"results.sqlite", {"starpath", is_results_file}};

/// The layout of the tables: 3, 2 for those of Starpath 0.2.0, or 1 for those of 0.1.0, which are only read.
std::int64_t result_layout(const Database& database);
/// From this layout on everything in a file has a checksum.
inline constexpr std::int64_t kGuardedLayout = 3;

/// Error{mismatch} unless the database is one of ours and of a layout that is known. Only reads.
void check_result_schema(const Database& database);

/// Error{mismatch} for results of layout 1, which are only read. Only reads.
void check_can_be_changed(const Database& database);

/// Error{mismatch} unless the pipeline's tables have the columns and its view has the text that they were made with,
/// and there are no triggers and no other views. Only reads.
void check_tables(const Database& database, const ResultTables& tables);

/// Error{mismatch} when pages are damaged, or an index says something else than its table. Reads the whole file.
void check_integrity(const Database& database);

/// Error{mismatch} that names what differs from the run that made the results. Only reads.
void check_same_run(const Database& database, const RunKey& key);

/// "tile was 4096 and is 1024, …" for every parameter that differs; both are JSON objects, as in a key. Empty when none
/// does.
std::string differences(const std::string& before, const std::string& now);

RunKey read_run_key(const Database& database);
/// Error{mismatch} when a value is missing, of another type or none of a grid.
RunInfo read_run_info(const Database& database);

}  // namespace starpath::io
