// The clusters of a study's nuclei in study.sqlite.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/sqlite.hpp"

namespace starpath::io {

struct StudyCluster {
  std::string name;
  std::uint32_t colour = 0;  // 0xRRGGBB
  std::int64_t nuclei = 0;
  std::vector<std::pair<std::string, double>> centre;  // feature, and its mean over the cluster's nuclei
};

/// How many nuclei of a slide, or of one of its regions, a cluster has.
struct ClusterCount {
  std::int64_t slide, region, cluster;  // numbers; region 0: all of the slide. Cluster from 1
  std::int64_t nuclei;
};

/// The nuclei of a study, clustered.
struct StudyClusters {
  std::string about;  // JSON: how
  std::vector<StudyCluster> clusters;
  std::vector<ClusterCount> counts;  // those with nuclei, by slide, region and cluster
};

/// Replaces what was there. In a transaction of the caller's.
void put_study_clusters(Database& database, const StudyClusters& clusters);
/// From now on, until put_study_clusters(), the clusters of some slides are others than those of the study.
void begin_study_clusters(Database& database);
/// Error{mismatch} where nuclei are of a cluster that is not there, and after begin_study_clusters().
StudyClusters read_study_clusters(const Database& database);

}  // namespace starpath::io
