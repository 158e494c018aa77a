// Clusters of slides and patients as tables.
#include "io/study/member_clusters.hpp"

#include <string_view>

#include "io/study/study_schema.hpp"

namespace starpath::io {
namespace {

constexpr const char* kTables[] = {"member_clusters", "member_cluster_centres", "cluster_members"};

/// The key of the table `study`.
std::string key_of(MemberKind kind) { return std::string("clusters_of_") + name_of(kind); }

void remove(StudyTransaction& change, MemberKind kind) {
  Database& database = change.database();
  database.prepare("DELETE FROM study WHERE key = ?").run(std::string_view(key_of(kind)));
  if (database.changed_rows() == 0) return;
  for (const char* table : kTables)
    database.prepare(std::string("DELETE FROM ") + table + " WHERE kind = ?").run(std::string_view(name_of(kind)));
  change.part_changed(kStudyPart);
  change.part_changed(kMemberClustersPart);
}

}  // namespace

const char* name_of(MemberKind kind) { return kind == MemberKind::slides ? "slides" : "patients"; }

void make_member_cluster_tables(Database& database) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS member_clusters (kind TEXT NOT NULL, cluster INTEGER NOT NULL, name TEXT NOT NULL,"
      " members INTEGER NOT NULL, PRIMARY KEY (kind, cluster)) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS member_cluster_centres (kind TEXT NOT NULL, cluster INTEGER NOT NULL,"
      " value TEXT NOT NULL, mean REAL, PRIMARY KEY (kind, cluster, value)) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS cluster_members (kind TEXT NOT NULL, member INTEGER NOT NULL,"
      " name TEXT NOT NULL, cluster INTEGER NOT NULL, PRIMARY KEY (kind, member)) WITHOUT ROWID;");
}

void put_member_clusters(StudyTransaction& change, MemberKind kind, const MemberClusters& clusters) {
  remove(change, kind);
  if (clusters.clusters.empty()) return;
  Database& database = change.database();
  make_member_cluster_tables(database);
  const std::string_view of = name_of(kind);
  database.prepare("INSERT INTO study (key, value) VALUES (?, ?)")
      .run(std::string_view(key_of(kind)), std::string_view(clusters.about));
  Statement put = database.prepare("INSERT INTO member_clusters VALUES (?, ?, ?, ?)");
  Statement put_centre = database.prepare("INSERT INTO member_cluster_centres VALUES (?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const MemberCluster& cluster : clusters.clusters) {
    put.run(of, ++number, std::string_view(cluster.name), cluster.members);
    for (const auto& [value, mean] : cluster.centre) put_centre.run(of, number, std::string_view(value), mean);
  }
  Statement put_member = database.prepare("INSERT INTO cluster_members VALUES (?, ?, ?, ?)");
  number = 0;
  for (const auto& [name, cluster] : clusters.members) put_member.run(of, ++number, std::string_view(name), cluster);
  change.part_changed(kStudyPart);
  change.part_changed(kMemberClustersPart);
}

void remove_member_clusters(StudyTransaction& change) {
  for (const MemberKind kind : {MemberKind::slides, MemberKind::patients}) remove(change, kind);
}

}  // namespace starpath::io
