// Patients from tables.
#include "io/study/cohort.hpp"

#include <string>

#include "io/study/study_schema.hpp"

namespace starpath::io {

std::optional<Cohort> read_cohort(const Database& database) {
  if (!has_table(database, "patients")) return std::nullopt;
  Cohort cohort;
  Statement about = database.prepare("SELECT value FROM study WHERE key = 'cohort'");
  while (about.step()) cohort.about = about.text(0);
  Statement rows = database.prepare(
      "SELECT name, \"group\", slides, nuclei, nuclei_per_mm2, branch, place FROM patients ORDER BY patient");
  while (rows.step())
    cohort.patients.push_back(
        {rows.text(0), rows.text(1), rows.integer(2), rows.integer(3), rows.real(4), rows.integer(5), rows.integer(6)});
  cohort.has_tree = database.integer("SELECT count(*) FROM patient_tree") > 0;
  return cohort;
}

void remove_cohort(StudyTransaction& change) {
  Database& database = change.database();
  for (const TableColumns& each : kCohortColumns) database.execute(std::string("DROP TABLE IF EXISTS ") + each.table);
  change.part_changed(kCohortPart);
  database.execute("DELETE FROM study WHERE key = 'cohort'");
  if (database.changed_rows() > 0) change.part_changed(kStudyPart);
}

}  // namespace starpath::io
