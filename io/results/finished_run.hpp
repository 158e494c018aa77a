// Whether the run behind a results file came to its end. No nucleus is accepted before; after it perhaps none either.
#pragma once
#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"

namespace starpath::io {

/// Marks the run as finished: in the transaction that accepts its nuclei.
void mark_finished(Database& database, Checksums& checksums);

/// Takes the mark back: in a transaction that changes a tile.
void unmark_finished(Database& database, Checksums& checksums);

/// Also of files from before the mark: there accepted nuclei stand for it and, in layout 1, that a tile has found none
/// that could be accepted.
bool is_finished(const Database& database);

}  // namespace starpath::io
