// Regions, clusters and classes as tables.
#include "io/results/group_tables.hpp"

#include <optional>

#include "base/sqlite_tables.hpp"
#include "io/results/row_checksum.hpp"
#include "io/results/stored_row.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kMostGroups = INT32_MAX;

/// Rows that are written and summed up at once, table by table.
class SummedRows {
 public:
  explicit SummedRows(Database& database) : database_(database) {}
  /// `insert`: has a parameter a column.
  void into(const char* insert) { insert_ = database_.prepare(insert); }
  template <class... Values>
  void put(const Values&... values) {
    insert_->run(values...);
    (sum_.add(values), ...);
  }
  std::uint32_t checksum() { return sum_.value(); }

 private:
  Database& database_;
  std::optional<Statement> insert_;
  RowChecksum sum_;
};

void check_number(const StoredRow& row, std::size_t numbers) {
  if (row.integer(0, 1, kMostGroups) != static_cast<std::int64_t>(numbers) + 1) row.fail("a number is left out");
}

}  // namespace

bool has_regions(const Database& database) {
  return has_table(database, "regions") && has_table(database, "nucleus_regions");
}

bool has_clusters(const Database& database) {
  return has_table(database, "clusters") && has_table(database, "nucleus_clusters");
}

bool has_classes(const Database& database) {
  return has_table(database, "classes") && has_table(database, "nucleus_classes");
}

void put_regions(Database& database, Checksums& checksums, const NucleusRegions& regions) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS regions (region INTEGER PRIMARY KEY, name TEXT NOT NULL, class TEXT NOT NULL,"
      " pixels REAL NOT NULL, nuclei INTEGER NOT NULL);"
      "CREATE TABLE IF NOT EXISTS nucleus_regions (id INTEGER PRIMARY KEY, region INTEGER NOT NULL);"
      "DELETE FROM regions; DELETE FROM nucleus_regions;");
  std::vector<std::int64_t> nuclei(regions.regions.size());
  SummedRows rows(database);
  rows.into("INSERT INTO nucleus_regions VALUES (?, ?)");
  std::int64_t id = 0;
  for (const std::int32_t region : regions.of_nuclei) {
    rows.put(++id, std::int64_t{region});
    ++nuclei.at(static_cast<std::size_t>(region) - 1);
  }
  rows.into("INSERT INTO regions VALUES (?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < regions.regions.size(); ++i) {
    const RegionRecord& region = regions.regions[i];
    rows.put(static_cast<std::int64_t>(i) + 1, std::string_view(region.name), std::string_view(region.class_name),
             region.pixels, nuclei[i]);
  }
  checksums.part_written(kRegionsPart, rows.checksum());
}

void put_clusters(Database& database, Checksums& checksums, const std::vector<ClusterRecord>& clusters,
                  std::span<const std::uint8_t> of_nuclei) {
  remove_clusters(database, checksums);
  database.execute(
      "CREATE TABLE clusters (cluster INTEGER PRIMARY KEY, name TEXT NOT NULL, colour INTEGER NOT NULL,"
      " nuclei INTEGER NOT NULL);"
      "CREATE TABLE nucleus_clusters (id INTEGER PRIMARY KEY, cluster INTEGER NOT NULL);");
  SummedRows rows(database);
  rows.into("INSERT INTO nucleus_clusters VALUES (?, ?)");
  std::int64_t id = 0;
  for (const std::uint8_t cluster : of_nuclei)
    if (++id; cluster > 0) rows.put(id, std::int64_t{cluster});
  rows.into("INSERT INTO clusters VALUES (?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const ClusterRecord& cluster : clusters)
    rows.put(++number, std::string_view(cluster.name), std::int64_t{cluster.colour}, cluster.nuclei);
  checksums.part_written(kClustersPart, rows.checksum());
}

void remove_clusters(Database& database, Checksums& checksums) {
  database.execute("DROP TABLE IF EXISTS clusters; DROP TABLE IF EXISTS nucleus_clusters;");
  checksums.part_gone(kClustersPart);
}

void put_classes(Database& database, Checksums& checksums, std::vector<ClassRecord> classes,
                 std::span<const ClassOfNucleus> of_nuclei) {
  remove_classes(database, checksums);
  database.execute(
      "CREATE TABLE classes (class INTEGER PRIMARY KEY, name TEXT NOT NULL, colour INTEGER NOT NULL,"
      " nuclei INTEGER NOT NULL, model TEXT NOT NULL);"
      "CREATE TABLE nucleus_classes (id INTEGER PRIMARY KEY, class INTEGER NOT NULL, confidence REAL NOT NULL,"
      " distance REAL NOT NULL, out_of_range INTEGER NOT NULL);");
  for (ClassRecord& each : classes) each.nuclei = 0;
  SummedRows rows(database);
  rows.into("INSERT INTO nucleus_classes VALUES (?, ?, ?, ?, ?)");
  std::int64_t id = 0;
  for (const ClassOfNucleus& nucleus : of_nuclei) {
    rows.put(++id, std::int64_t{nucleus.number}, nucleus.confidence, nucleus.distance,
             std::int64_t{nucleus.out_of_range});
    ++classes.at(static_cast<std::size_t>(nucleus.number) - 1).nuclei;
  }
  rows.into("INSERT INTO classes VALUES (?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const ClassRecord& each : classes)
    rows.put(++number, std::string_view(each.name), std::int64_t{each.colour}, each.nuclei,
             std::string_view(each.model));
  checksums.part_written(kClassesPart, rows.checksum());
}

void remove_classes(Database& database, Checksums& checksums) {
  database.execute("DROP TABLE IF EXISTS classes; DROP TABLE IF EXISTS nucleus_classes;");
  checksums.part_gone(kClassesPart);
}

std::vector<RegionRecord> read_regions_of(const Database& database) {
  std::vector<RegionRecord> regions;
  if (!has_regions(database)) return regions;
  Statement rows = database.prepare("SELECT region, name, class, pixels, nuclei FROM regions ORDER BY region");
  const StoredRow row(database, rows, "regions");
  while (rows.step()) {
    check_number(row, regions.size());
    regions.push_back({row.text(1), row.text(2), row.real(3, 0, 1e19), row.integer(4, 0, INT64_MAX)});
  }
  return regions;
}

std::vector<ClusterRecord> read_clusters_of(const Database& database) {
  std::vector<ClusterRecord> clusters;
  if (!has_clusters(database)) return clusters;
  Statement rows = database.prepare("SELECT cluster, name, colour, nuclei FROM clusters ORDER BY cluster");
  const StoredRow row(database, rows, "clusters");
  while (rows.step()) {
    check_number(row, clusters.size());
    clusters.push_back(
        {row.text(1), static_cast<std::uint32_t>(row.integer(2, 0, 0xffffff)), row.integer(3, 0, INT64_MAX)});
  }
  return clusters;
}

std::vector<ClassRecord> read_classes_of(const Database& database) {
  std::vector<ClassRecord> classes;
  if (!has_classes(database)) return classes;
  Statement rows = database.prepare("SELECT class, name, colour, nuclei, model FROM classes ORDER BY class");
  const StoredRow row(database, rows, "classes");
  while (rows.step()) {
    check_number(row, classes.size());
    classes.push_back({row.text(1), static_cast<std::uint32_t>(row.integer(2, 0, 0xffffff)),
                       row.integer(3, 0, INT64_MAX), row.text(4)});
  }
  return classes;
}

}  // namespace starpath::io
