// SQL, and what it makes compared with what is there.
#include "io/study/study_schema.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/checksums.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/stored_row.hpp"
#include "io/study/cohort.hpp"
#include "io/study/member_clusters.hpp"
#include "io/study/study_classes.hpp"

namespace starpath::io {
namespace {

constexpr int kApplicationId = 0x53745379;  // "StSy"
constexpr int kGuardedStudyLayout = 3;      // from here on everything has a checksum
constexpr int kLayoutVersion = kGuardedStudyLayout, kOldestLayout = 1;

constexpr const char* kStudyTables = R"(
CREATE TABLE study (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE slides (
  slide INTEGER PRIMARY KEY, path TEXT NOT NULL, folder TEXT NOT NULL UNIQUE, patient TEXT, "group" TEXT,
  mpp_said REAL, roi_said TEXT, state TEXT NOT NULL, error TEXT NOT NULL,
  nuclei INTEGER, left_out_eosin INTEGER, analysed_mm2 REAL, nuclei_per_mm2 REAL, median_area_um2 REAL,
  tiles INTEGER, tiles_background INTEGER, tiles_failed INTEGER, width INTEGER, height INTEGER,
  mpp REAL, mpp_source TEXT, seconds REAL, parameters TEXT, survey TEXT, file_state TEXT);
CREATE TABLE labels (slide INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (slide, name))
  WITHOUT ROWID;
CREATE TABLE warnings (slide INTEGER NOT NULL, number INTEGER NOT NULL, warning TEXT NOT NULL,
  PRIMARY KEY (slide, number)) WITHOUT ROWID;
CREATE TABLE features (slide INTEGER NOT NULL, feature TEXT NOT NULL, nuclei INTEGER NOT NULL,
  mean REAL, q1 REAL, median REAL, q3 REAL, PRIMARY KEY (slide, feature)) WITHOUT ROWID;
)";

constexpr const char* kAddedByLayout2 = R"(
ALTER TABLE slides ADD COLUMN exclude_said TEXT;
CREATE TABLE regions (slide INTEGER NOT NULL, region INTEGER NOT NULL, name TEXT NOT NULL, class TEXT NOT NULL,
  nuclei INTEGER NOT NULL, area_mm2 REAL, nuclei_per_mm2 REAL, PRIMARY KEY (slide, region)) WITHOUT ROWID;
CREATE TABLE region_features (slide INTEGER NOT NULL, region INTEGER NOT NULL, feature TEXT NOT NULL,
  nuclei INTEGER NOT NULL, mean REAL, q1 REAL, median REAL, q3 REAL, PRIMARY KEY (slide, region, feature))
  WITHOUT ROWID;
CREATE TABLE clusters (cluster INTEGER PRIMARY KEY, name TEXT NOT NULL, colour INTEGER NOT NULL,
  nuclei INTEGER NOT NULL);
CREATE TABLE cluster_centres (cluster INTEGER NOT NULL, feature TEXT NOT NULL, mean REAL, PRIMARY KEY (cluster, feature))
  WITHOUT ROWID;
CREATE TABLE slide_clusters (slide INTEGER NOT NULL, region INTEGER NOT NULL, cluster INTEGER NOT NULL,
  nuclei INTEGER NOT NULL, PRIMARY KEY (slide, region, cluster)) WITHOUT ROWID;
)";

constexpr const char* kRuns = "CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY, about TEXT NOT NULL)";

constexpr const char* kRowsOfSlide[] = {"SELECT * FROM slides WHERE slide = ?1",
                                        "SELECT * FROM labels WHERE slide = ?1 ORDER BY name",
                                        "SELECT * FROM warnings WHERE slide = ?1 ORDER BY number",
                                        "SELECT * FROM features WHERE slide = ?1 ORDER BY feature",
                                        "SELECT * FROM regions WHERE slide = ?1 ORDER BY region",
                                        "SELECT * FROM region_features WHERE slide = ?1 ORDER BY region, feature"};
constexpr TableRows kStudyRows[] = {{"study", "key"}};
constexpr TableRows kStudyClusterRows[] = {
    {"clusters", "cluster"}, {"cluster_centres", "cluster, feature"}, {"slide_clusters", "slide, region, cluster"}};
constexpr TableRows kStudyClassRows[] = {{"classes", "class"}, {"slide_classes", "slide, region, class"}};
constexpr TableRows kStudyCohortRows[] = {{"patients", "patient"},
                                          {"patient_slides", "slide"},
                                          {"patient_features", "patient, feature"},
                                          {"patient_clusters", "patient, cluster"},
                                          {"patient_classes", "patient, class"},
                                          {"patient_tree", "merge"}};
constexpr TableRows kStudyRunRows[] = {{"runs", "run"}};
constexpr TableRows kMemberClusterRows[] = {{"member_clusters", "kind, cluster"},
                                            {"member_cluster_centres", "kind, cluster, value"},
                                            {"cluster_members", "kind, member"}};
constexpr GuardedPart kStudyParts[] = {
    {kStudyPart, "table study", kStudyRows},
    {kStudyClustersPart, "what clusters nuclei are in", kStudyClusterRows},
    {kStudyClassesPart, "what classes nuclei are of", kStudyClassRows},
    {kCohortPart, "the cohort", kStudyCohortRows},
    {kStudyRunsPart, "table runs", kStudyRunRows},
    {kMemberClustersPart, "what clusters slides and patients are in", kMemberClusterRows}};

void check_schema(const Database& database) {
  if (database.integer("PRAGMA application_id") != kApplicationId)
    throw Error(ErrorKind::mismatch, database.path() + ": is no study of starpath; choose another folder");
  if (const std::int64_t version = study_layout(database); version < kOldestLayout || version > kLayoutVersion)
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: is a study of layout {}, and this starpath knows up to layout {}; use the starpath that "
                    "made it or choose another --out",
                    database.path(), version, kLayoutVersion));
}

/// Error{mismatch} unless the table has these columns. With `may_lack` the table may be missing.
void check_columns(const Database& database, const std::string& table, const std::string& wanted, bool may_lack) {
  const std::string columns = columns_of(database, table);
  if (columns == wanted || (columns.empty() && may_lack)) return;
  throw Error(ErrorKind::mismatch, fmt::format("{}: is damaged (it has no table '{}', or one with other columns); "
                                               "choose another --out",
                                               database.path(), table));
}

/// The same for each table of `made`.
void check_tables_of(const Database& made, const Database& database, bool may_lack) {
  for (Statement table = made.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'"); table.step();)
    check_columns(database, table.text(0), columns_of(made, table.text(0)), may_lack);
}

}  // namespace

const Guard kStudyGuard{"slides", "slide", kRowsOfSlide, kStudyParts};

std::int64_t study_layout(const Database& database) { return database.integer("PRAGMA user_version"); }

void make_study_tables(Database& database) {
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, kLayoutVersion));
  database.execute(kStudyTables);
  database.execute(kAddedByLayout2);
}

void make_run_table(Database& database) { database.execute(kRuns); }

bool is_study_file(const std::filesystem::path& file) { return is_database_of(file, kApplicationId); }

void check_study_tables(const Database& database) {
  check_schema(database);
  Database made(":memory:", Database::Open::create);
  made.execute(kStudyTables);
  if (study_layout(database) > 1) made.execute(kAddedByLayout2);
  check_tables_of(made, database, false);
  if (!columns_of(database, "checksums").empty() && columns_of(database, "checksums") != "unit,checksum")
    throw damaged_results(database, "table 'checksums' has other columns");
  Statement strange = database.prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')");
  if (strange.step())
    throw damaged_results(database, fmt::format("it has a {} '{}'", strange.text(0), strange.text(1)));
  make_run_table(made);
  make_study_class_tables(made);
  make_member_cluster_tables(made);
  check_tables_of(made, database, true);
  for (const TableColumns& each : kCohortColumns) check_columns(database, each.table, each.columns, true);
}

std::int64_t check_study_contents(Database& database) {
  Transaction reading(database, "BEGIN");
  check_integrity(database);
  const bool has_all_tables = study_layout(database) > 1;
  const std::int64_t guarded =
      has_all_tables ? check_checksums(database, kStudyGuard, study_layout(database) >= kGuardedStudyLayout) : 0;
  reading.commit();
  return guarded;
}

VerifiedStudy verify_study(const std::string& file) {
  Database database(file, Database::Open::existing);
  check_study_tables(database);
  database.execute("PRAGMA query_only = ON");
  const VerifiedStudy found{.slides = database.integer("SELECT count(*) FROM slides"),
                            .guarded = check_study_contents(database)};
  if (found.slides > 0 && found.guarded == 0)
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: none of its slides has a checksum, as in studies of versions 0.1 and 0.2: whether they "
                    "are as written cannot be said; --resume gives them checksums",
                    file));
  return found;
}

void bring_up_to_date(Database& database) {
  if (study_layout(database) == kLayoutVersion) return;
  Transaction transaction(database);
  if (study_layout(database) < 2) database.execute(kAddedByLayout2);
  Checksums(database, kStudyGuard).all_written();
  database.execute(fmt::format("PRAGMA user_version = {}", kLayoutVersion));
  transaction.commit();
}

}  // namespace starpath::io
