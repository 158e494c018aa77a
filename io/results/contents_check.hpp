// Whether what a results file holds belongs together and is what was written.
#pragma once
#include <cstdint>

#include "base/sqlite.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::io {

/// Error{mismatch} that names the first unit, part or table whose rows are not those that were written, or the rows
/// that belong together and are not all there. Returns how many units have a checksum: all, or none in files of 0.1.0.
/// In files of layouts 1 and 2 (0.1.0, 0.2.0) only what has a checksum is compared. Reads the whole file. Changes
/// nothing. The caller has called check_tables().
std::int64_t check_contents(const Database& database, const ResultTables& tables);

/// Gives a file of layout 2 checksums of everything, and so layout 3, after check_contents(). One transaction. Files of
/// other layouts stay as they are.
void bring_up_to_date(Database& database, const ResultTables& tables);

}  // namespace starpath::io
