// What ranks of a job on several nodes write, and how it becomes one results file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/results/result_tables.hpp"
#include "io/results/run_key.hpp"

namespace starpath::io {

/// Where a rank writes what is to be merged into the results file at `results`: every file has one writer.
std::filesystem::path part_file(const std::filesystem::path& results, int rank);
/// The parts that lie beside `results`, by name.
std::vector<std::filesystem::path> part_files(const std::filesystem::path& results);

/// Takes the units (tiles, fields) of `part` over into `results`, in one transaction; a unit that failed there replaces
/// none that is done here. Nobody may have one of the two open. Returns how many units the part holds. Error{mismatch}
/// when one is of other work than `key` or damaged; then nothing has changed. The part stays. Safe to repeat.
std::int64_t merge_part(const std::filesystem::path& results, const std::filesystem::path& part, const RunKey& key,
                        const ResultTables& tables = kSegmentationTables);

/// Removes a results file or part, if it is there, with what SQLite keeps beside it.
void remove_results_file(const std::filesystem::path& path);

}  // namespace starpath::io
