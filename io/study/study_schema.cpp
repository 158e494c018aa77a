// SQL, and what it makes compared with what is there.
#include "io/study/study_schema.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "base/sqlite_tables.hpp"
#include "io/study/cohort.hpp"
#include "io/study/study_classes.hpp"

namespace starpath::io {
namespace {

constexpr int kApplicationId = 0x53745379;  // "StSy"
constexpr int kLayoutVersion = 2, kOldestLayout = 1;

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

/// Error{mismatch} unless the tables of `made` are in the database with the same columns; with `may_lack` some may be
/// missing.
void check_tables_of(const Database& made, const Database& database, bool may_lack) {
  for (Statement table = made.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'"); table.step();) {
    const std::string name = table.text(0), columns = columns_of(database, name);
    if (columns.empty() && may_lack) continue;
    if (columns != columns_of(made, name))
      throw Error(ErrorKind::mismatch, fmt::format("{}: is damaged (it has no table '{}', or one with other columns); "
                                                   "choose another --out",
                                                   database.path(), name));
  }
}

}  // namespace

std::int64_t study_layout(const Database& database) { return database.integer("PRAGMA user_version"); }

void make_study_tables(Database& database) {
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, kLayoutVersion));
  database.execute(kStudyTables);
  database.execute(kAddedByLayout2);
}

void make_run_table(Database& database) { database.execute(kRuns); }

void check_study_tables(const Database& database) {
  check_schema(database);
  Database made(":memory:", Database::Open::create);
  made.execute(kStudyTables);
  if (study_layout(database) > 1) made.execute(kAddedByLayout2);
  check_tables_of(made, database, false);
  make_run_table(made);
  put_study_classes(made, {});
  put_cohort(made, {});
  check_tables_of(made, database, true);
}

void bring_up_to_date(Database& database) {
  if (study_layout(database) == kLayoutVersion) return;
  Transaction transaction(database);
  database.execute(kAddedByLayout2);
  database.execute(fmt::format("PRAGMA user_version = {}", kLayoutVersion));
  transaction.commit();
}

}  // namespace starpath::io
