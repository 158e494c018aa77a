// From a file to one that is checked, locked and guarded.
#include "io/results/unit_file.hpp"

#include "base/error.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/results_file.hpp"

namespace starpath::io {

void UnitFile::create(const std::string& path, const RunKey& key, const RunInfo& info, const ResultTables& tables,
                      const std::string& sql_of_tables) {
  make_results_file(path, [&](Database& database) {
    create_run_schema(database, key, info, sql_of_tables);
    Checksums(database, tables).part_written(kRunPart);
  });
}

UnitFile::UnitFile(const std::string& path, const RunKey& key, const ResultTables& tables, const char* insert)
    : database_(path, Database::Open::existing) {
  check_result_schema(database_);
  check_same_run(database_, key);  // first: another pipeline's results have other tables
  check_tables(database_, tables);
  lock_results_file(database_, Commits::many_small);
  check_integrity(database_);
  check_contents(database_, tables);
  bring_up_to_date(database_, tables);
  put_ = database_.prepare(insert);
  checksums_.emplace(database_, tables);
}

UnitFile::~UnitFile() {
  put_.reset();
  checksums_.reset();
  try {
    close_results_file(database_);
  } catch (const Error&) {  // the next one to open the file does it
  }
}

}  // namespace starpath::io
