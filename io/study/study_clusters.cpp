// Clusters as tables.
#include "io/study/study_clusters.hpp"

#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {

void begin_study_clusters(StudyTransaction& change) {
  change.database().execute("INSERT OR REPLACE INTO study (key, value) VALUES ('clusters_begun', '1')");
  change.part_changed(kStudyPart);
}

void put_study_clusters(StudyTransaction& change, const StudyClusters& clusters) {
  Database& database = change.database();
  database.execute(
      "DELETE FROM clusters; DELETE FROM cluster_centres; DELETE FROM slide_clusters; "
      "DELETE FROM study WHERE key = 'clusters_begun'");
  database.prepare("INSERT OR REPLACE INTO study (key, value) VALUES ('clusters', ?)")
      .run(std::string_view(clusters.about));
  Statement put = database.prepare("INSERT INTO clusters VALUES (?, ?, ?, ?)");
  Statement put_centre = database.prepare("INSERT INTO cluster_centres VALUES (?, ?, ?)");
  std::int64_t number = 0;
  for (const StudyCluster& cluster : clusters.clusters) {
    put.run(++number, std::string_view(cluster.name), std::int64_t{cluster.colour}, cluster.nuclei);
    for (const auto& [feature, mean] : cluster.centre) put_centre.run(number, std::string_view(feature), mean);
  }
  Statement count = database.prepare("INSERT INTO slide_clusters VALUES (?, ?, ?, ?)");
  for (const ClusterCount& each : clusters.counts) count.run(each.slide, each.region, each.cluster, each.nuclei);
  change.part_changed(kStudyPart);
  change.part_changed(kStudyClustersPart);
}

void forget_study_clusters(StudyTransaction& change, std::int64_t slide) {
  change.database().prepare("DELETE FROM slide_clusters WHERE slide = ?").run(slide);
  if (change.database().changed_rows() > 0) change.part_changed(kStudyClustersPart);
}

StudyClusters read_study_clusters(const Database& database) {
  if (database.integer("SELECT count(*) FROM study WHERE key = 'clusters_begun'") > 0)
    throw Error(ErrorKind::mismatch,
                database.path() +
                    ": some of its slides have other clusters than the study, as `starpath cluster` did "
                    "not come to its end; run it again");
  StudyClusters found;
  for (Statement about = database.prepare("SELECT value FROM study WHERE key = 'clusters'"); about.step();)
    found.about = about.text(0);
  Statement centre = database.prepare("SELECT feature, mean FROM cluster_centres WHERE cluster = ? ORDER BY feature");
  Statement rows = database.prepare("SELECT cluster, name, colour, nuclei FROM clusters ORDER BY cluster");
  while (rows.step()) {
    StudyCluster cluster{rows.text(1), static_cast<std::uint32_t>(rows.integer(2)), rows.integer(3), {}};
    for (centre.bind(1, rows.integer(0)); centre.step();) cluster.centre.emplace_back(centre.text(0), centre.real(1));
    found.clusters.push_back(std::move(cluster));
  }
  Statement counts =
      database.prepare("SELECT slide, region, cluster, nuclei FROM slide_clusters ORDER BY slide, region, cluster");
  while (counts.step()) {
    if (counts.integer(2) < 1 || counts.integer(2) > std::ssize(found.clusters))
      throw Error(
          ErrorKind::mismatch,
          database.path() + ": is damaged (nuclei of a cluster that is not there); run `starpath cluster` again");
    found.counts.push_back({counts.integer(0), counts.integer(1), counts.integer(2), counts.integer(3)});
  }
  return found;
}

}  // namespace starpath::io
