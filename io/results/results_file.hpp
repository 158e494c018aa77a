// A results file from outside: how it comes to be, and how one run has it alone. What is in it: the stores.
#pragma once
#include <functional>
#include <string>

#include "base/sqlite.hpp"

namespace starpath::io {

/// Makes a database under another name in the same folder, lets `fill` make its tables, and puts it at `path`: killed
/// in here, a run leaves no file there. Error{output} if `path` exists.
void make_results_file(const std::string& path, const std::function<void(Database&)>& fill);

/// few_large: each commit is on the disk when it returns. many_small: each survives a kill of the process; a power cut
/// may cost the last seconds, never the file.
enum class Commits { few_large, many_small };

/// For writing alone: a second writer, and readers too, get Error{output} "in use" until the database is closed.
void lock_results_file(Database& database, Commits commits);

/// Leaves everything in the one file, whatever the commits were. Before the database is closed; no statement may be in
/// use. Throws as Database.
void close_results_file(Database& database);

}  // namespace starpath::io
