// The checks of every table, one after the other.
#include "io/results/verify_results.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/result_schema.hpp"

namespace starpath::io {
namespace {

/// Those of the pipeline that wrote the file.
const ResultTables& tables_of(const Database& database) {
  for (const ResultTables* tables : {&kNbiaTables, &kRowTables})
    if (has_table(database, tables->units)) return *tables;
  return kSegmentationTables;
}

}  // namespace

VerifiedResults verify_results(const std::string& file) {
  Database database(file, Database::Open::existing);
  check_result_schema(database);
  database.execute("PRAGMA query_only = ON");  // after that check: the first reading undoes what a kill left half done
  check_integrity(database);
  const ResultTables& tables = tables_of(database);
  check_tables(database, tables);
  const std::int64_t guarded = check_contents(database, tables);
  const std::int64_t units = database.integer(fmt::format("SELECT count(*) FROM {}", tables.units));
  if (units > 0 && guarded == 0)
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: none of its {} has a checksum, as in results of version 0.1: whether they are as "
                            "written cannot be said",
                            file, tables.units));
  VerifiedResults found{tables.units, units, guarded, {}};
  if (&tables == &kSegmentationTables) found.finished = is_finished(database);
  return found;
}

}  // namespace starpath::io
