// Patients in tables.
#include "io/study/cohort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/sqlite_tables.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// branch and place are NULL for a patient that is not part of the tree.
constexpr const char* kCohortTables = R"(
CREATE TABLE patients (patient INTEGER PRIMARY KEY, name TEXT NOT NULL, "group" TEXT, slides INTEGER NOT NULL,
  nuclei INTEGER NOT NULL, analysed_mm2 REAL, nuclei_per_mm2 REAL, branch INTEGER, place INTEGER);
CREATE TABLE patient_slides (slide INTEGER PRIMARY KEY, patient INTEGER NOT NULL);
CREATE TABLE patient_features (patient INTEGER NOT NULL, feature TEXT NOT NULL, nuclei INTEGER NOT NULL,
  mean REAL, q1 REAL, median REAL, q3 REAL, PRIMARY KEY (patient, feature)) WITHOUT ROWID;
CREATE TABLE patient_clusters (patient INTEGER NOT NULL, cluster INTEGER NOT NULL, nuclei INTEGER NOT NULL,
  PRIMARY KEY (patient, cluster)) WITHOUT ROWID;
CREATE TABLE patient_classes (patient INTEGER NOT NULL, class INTEGER NOT NULL, nuclei INTEGER NOT NULL,
  out_of_range INTEGER NOT NULL, PRIMARY KEY (patient, class)) WITHOUT ROWID;
CREATE TABLE patient_tree (merge INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL,
  height REAL NOT NULL);
)";
constexpr const char* kNames[] = {"patients",         "patient_slides",  "patient_features",
                                  "patient_clusters", "patient_classes", "patient_tree"};

void put_patient(Database& database, std::int64_t number, const StudyPatient& patient) {
  Statement put =
      database.prepare("INSERT INTO patients VALUES (?, ?, nullif(?, ''), ?, ?, ?, ?, nullif(?, 0), nullif(?, 0))");
  put.run(number, std::string_view(patient.name), std::string_view(patient.group), std::ssize(patient.slides),
          patient.nuclei, patient.analysed_mm2.value_or(kNone), patient.nuclei_per_mm2(), patient.branch,
          patient.place);
  Statement put_slide = database.prepare("INSERT INTO patient_slides VALUES (?, ?)");
  for (const std::int64_t slide : patient.slides) put_slide.run(slide, number);
  Statement put_feature = database.prepare("INSERT INTO patient_features VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const FeatureSummary& each : patient.features)
    put_feature.run(number, std::string_view(each.feature), each.nuclei, each.mean, each.q1, each.median, each.q3);
  Statement put_cluster = database.prepare("INSERT INTO patient_clusters VALUES (?, ?, ?)");
  std::int64_t cluster = 0;
  for (const std::int64_t nuclei : patient.cluster_nuclei) put_cluster.run(number, ++cluster, nuclei);
  Statement put_class = database.prepare("INSERT INTO patient_classes VALUES (?, ?, ?, ?)");
  std::int64_t of_class = 0;
  for (const ClassNuclei& each : patient.class_nuclei)
    put_class.run(number, ++of_class, each.nuclei, each.out_of_range);
}

/// Reads what belongs to patients already read, a row after the other; their numbers are 1, 2, ...
template <class Take>
void read_rows(const Database& database, const char* query, std::vector<StudyPatient>& patients, const Take& take) {
  for (Statement row = database.prepare(query); row.step();) {
    const std::int64_t number = row.integer(0);
    if (number < 1 || number > std::ssize(patients))
      throw Error(ErrorKind::mismatch, database.path() +
                                           ": is damaged (a patient that is not there); run `starpath "
                                           "cohort` again");
    take(patients[static_cast<std::size_t>(number - 1)], row);
  }
}

}  // namespace

double StudyPatient::nuclei_per_mm2() const {
  return analysed_mm2 && *analysed_mm2 > 0 ? static_cast<double>(nuclei) / *analysed_mm2 : kNone;
}

bool has_cohort(const Database& database) { return has_table(database, "patients"); }

void remove_cohort(StudyTransaction& change) {
  Database& database = change.database();
  for (const char* name : kNames) database.execute(std::string("DROP TABLE IF EXISTS ") + name);
  change.part_changed(kCohortPart);
  database.execute("DELETE FROM study WHERE key = 'cohort'");
  if (database.changed_rows() > 0) change.part_changed(kStudyPart);
}

void make_cohort_tables(Database& database) { database.execute(kCohortTables); }

void put_cohort(StudyTransaction& change, const Cohort& cohort) {
  remove_cohort(change);
  Database& database = change.database();
  make_cohort_tables(database);
  change.part_changed(kStudyPart);
  database.prepare("INSERT INTO study (key, value) VALUES ('cohort', ?)").run(std::string_view(cohort.about));
  std::int64_t number = 0;
  for (const StudyPatient& patient : cohort.patients) put_patient(database, ++number, patient);
  Statement put = database.prepare("INSERT INTO patient_tree VALUES (?, ?, ?, ?)");
  std::int64_t merge = 0;
  for (const PatientMerge& each : cohort.tree) put.run(++merge, each.first, each.second, each.height);
}

std::optional<Cohort> read_cohort(const Database& database) {
  if (!has_cohort(database)) return std::nullopt;
  Cohort cohort;
  Statement about = database.prepare("SELECT value FROM study WHERE key = 'cohort'");
  while (about.step()) cohort.about = about.text(0);
  Statement rows = database.prepare(
      "SELECT name, ifnull(\"group\", ''), nuclei, analysed_mm2, ifnull(branch, 0), ifnull(place, 0) FROM patients "
      "ORDER BY patient");
  while (rows.step()) {
    StudyPatient patient{rows.text(0), rows.text(1), {}, rows.integer(2), std::nullopt};
    if (!rows.is_null(3)) patient.analysed_mm2 = rows.real(3);
    patient.branch = rows.integer(4);
    patient.place = rows.integer(5);
    cohort.patients.push_back(std::move(patient));
  }
  read_rows(database, "SELECT patient, slide FROM patient_slides ORDER BY slide", cohort.patients,
            [](StudyPatient& patient, const Statement& row) { patient.slides.push_back(row.integer(1)); });
  read_rows(
      database, "SELECT patient, feature, nuclei, mean, q1, median, q3 FROM patient_features ORDER BY patient, feature",
      cohort.patients, [](StudyPatient& patient, const Statement& row) {
        patient.features.push_back({row.text(1), row.integer(2), row.real(3), row.real(4), row.real(5), row.real(6)});
      });
  read_rows(database, "SELECT patient, nuclei FROM patient_clusters ORDER BY patient, cluster", cohort.patients,
            [](StudyPatient& patient, const Statement& row) { patient.cluster_nuclei.push_back(row.integer(1)); });
  if (has_table(database, "patient_classes"))  // since 0.2.0's classes
    read_rows(database, "SELECT patient, nuclei, out_of_range FROM patient_classes ORDER BY patient, class",
              cohort.patients, [](StudyPatient& patient, const Statement& row) {
                patient.class_nuclei.push_back({row.integer(1), row.integer(2)});
              });
  for (Statement row = database.prepare("SELECT first, second, height FROM patient_tree ORDER BY merge"); row.step();)
    cohort.tree.push_back({row.integer(0), row.integer(1), row.real(2)});
  return cohort;
}

}  // namespace starpath::io
