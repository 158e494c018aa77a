// The mark is a row of table `run`.
#include "io/results/finished_run.hpp"

#include <fmt/format.h>

#include "io/results/nucleus_record.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::io {
namespace {

bool is_marked(const Database& database) {
  return database.integer("SELECT EXISTS (SELECT 1 FROM run WHERE key = 'finished' AND value IS 1)") != 0;
}

}  // namespace

void mark_finished(Database& database, Checksums& checksums) {
  database.execute("INSERT OR REPLACE INTO run (key, value) VALUES ('finished', 1)");
  checksums.part_written(kRunPart);
}

void unmark_finished(Database& database, Checksums& checksums) {
  if (!is_marked(database)) return;
  database.execute("DELETE FROM run WHERE key = 'finished'");
  checksums.part_written(kRunPart);
}

bool is_finished(const Database& database) {
  if (is_marked(database) || database.integer("SELECT EXISTS (SELECT 1 FROM accepted)") != 0) return true;
  if (result_layout(database) >= 2) return false;
  const auto owned = static_cast<int>(NucleusRole::owned);
  return database.integer(fmt::format("SELECT EXISTS (SELECT 1 FROM objects WHERE role = {})", owned)) == 0;
}

}  // namespace starpath::io
