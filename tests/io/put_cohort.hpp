// A cohort in a study.sqlite, as `starpath cohort` leaves it, by SQL.
#pragma once
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/study/cohort.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::test {

/// The SQL that makes its tables, from the Python package.
inline std::string cohort_tables() {
  std::ifstream file(STARPATH_SOURCE_DIR "/python/starpath/cohort/store.py");
  const std::string text{std::istreambuf_iterator<char>(file), {}}, quotes = "\"\"\"", name = "_TABLES = " + quotes;
  const std::size_t begin = text.find(name) + name.size();
  return text.substr(begin, text.find(quotes, begin) - begin);
}

/// Replaces the cohort. `about`: JSON. `rows`: SQL that fills the tables.
inline void put_cohort(const std::string& study, const std::string& about, const std::string& rows) {
  Database database(study, Database::Open::existing);
  Transaction transaction(database);
  for (const TableColumns& each : io::kCohortColumns)
    database.execute(std::string("DROP TABLE IF EXISTS ") + each.table);
  database.execute(cohort_tables());
  database.prepare("INSERT OR REPLACE INTO study (key, value) VALUES ('cohort', ?)").run(std::string_view(about));
  database.execute(rows);
  io::Checksums checksums(database, io::kStudyGuard);
  for (const std::int64_t part : {io::kStudyPart, io::kCohortPart}) checksums.part_written(part);
  transaction.commit();
}

}  // namespace starpath::test
